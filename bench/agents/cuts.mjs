// At which steps a session is asked for its facts, and which facts are needed there.

/** How far into a session, by steps. */
export const CUTS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Places of model calls: how many messages stand before each. */
export const stepsOf = (messages) => messages.flatMap(({ role }, at) => (role === 'assistant' && at > 0 ? [at] : []));

/** How many messages stand before the steps at which facts are asked. */
export function cutsOf(messages) {
  const steps = stepsOf(messages);
  return CUTS.map((share) => steps[Math.min(steps.length, Math.max(1, Math.round(share * steps.length))) - 1]);
}

/** Whether the step behind the first `cut` messages needs a fact: it was said, its time has come, and it is not over. */
export const isNeeded = ({ at, from, until }, cut) => at < cut && from <= cut && cut <= until;
