// How much a test does: at a push enough that what is broken is noticed, at night (`npm run test:nightly`) more of the same.

export const isNight = process.env.STEPFOLD_NIGHT === '1';

/** @template T @param {{ push: T, night: T }} amounts */
export const amount = ({ push, night }) => (isNight ? night : push);

/**
 * What a test is repeated with: all of it at night; at a push one, another one for each `turn`, so that over the turns all have theirs.
 *
 * @template T @param {readonly T[]} all @param {number} turn @returns {readonly T[]}
 */
export const inTurn = (all, turn) => (isNight ? all : [all[turn % all.length]]);
