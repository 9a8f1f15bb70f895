// Characters that would do something instead of being seen: controls, and marks that turn the direction of text.

const HIDDEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g;

/** The text with such characters named in place of themselves. Tabs and ends of lines stay. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
