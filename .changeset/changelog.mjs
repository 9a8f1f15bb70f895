// How a change becomes a line of CHANGELOG.md: as its author wrote it, without hashes and names.

export const getReleaseLine = async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`;

/** Nothing here depends on another package of ours. */
export const getDependencyReleaseLine = async () => '';
