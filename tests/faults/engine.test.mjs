// A trap in the engine: the step goes on unchanged with an event, and the next one works again on a new instance.
// A trap cannot be caused from outside, so the engine's exports are wrapped before a copy of the package is loaded.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { calm, talk, usageOf, user } from '../hand.mjs';

const entry = import.meta.resolve('stepfold');
let copies = 0;

/** Loads a copy of the package of its own whose engine throws when armed. */
async function loadArmed() {
  const RealInstance = WebAssembly.Instance;
  let armed;
  let instances = 0;
  const called = [];
  const imported = [];
  const Instance = function (module, imports) {
    instances += 1;
    imported.push(...Object.values(imports).flatMap(Object.keys));
    const real = new RealInstance(module, imports);
    const exports = Object.fromEntries(Object.entries(real.exports).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      return [name, (...parameters) => {
        called.push(name);
        if (armed?.name === name) {
          const { error } = armed;
          armed = undefined;
          throw error();
        }
        return value(...parameters);
      }];
    }));
    return { exports };
  };
  WebAssembly.Instance = Instance;
  try {
    const stepfold = await import(`${entry}?copy=${(copies += 1)}`);
    // The engine is loaded at first use, while the wrapper is in place; new instances are made later, too.
    return { stepfold, called, imported, instances: () => instances, arm: (name, error = () => new WebAssembly.RuntimeError('unreachable')) => { armed = { name, error }; }, restore: () => { WebAssembly.Instance = RealInstance; } };
  } catch (error) {
    WebAssembly.Instance = RealInstance;
    throw error;
  }
}

const list = [user('Go on.'), ...calm(20)];

for (const [what, error] of Object.entries({
  'a trap': () => new WebAssembly.RuntimeError('unreachable'),
  'a stack overflow': () => new RangeError('Maximum call stack size exceeded'),
})) {
  for (const name of ['plan', 'trySkipPlan']) {
    test(`${what} in \`${name}\` leaves the step as it was, with an event; the next step works`, async () => {
      const { stepfold, arm, instances, called, restore } = await loadArmed();
      try {
        const events = [];
        const prepareStep = stepfold.createPrepareStep({ contextWindow: 4_000, onEvent: (event) => events.push(event) });
        const finished = [];
        arm(name, error);
        const first = await prepareStep({ messages: list, steps: finished, stepNumber: 0, model: 'mock' });
        assert.ok(called.includes(name), `the engine has no export \`${name}\`; there are ${[...new Set(called)]}`);
        assert.equal(first, undefined);
        assert.deepEqual(events.map(({ type, code, stepNumber }) => ({ type, code, stepNumber })), [{ type: 'error', code: 'engine-failed', stepNumber: 0 }]);
        finished.push(usageOf(undefined));
        const second = await prepareStep({ messages: [...list, ...calm(1, 'next')], steps: finished, stepNumber: 1, model: 'mock' });
        assert.equal(instances(), 2, 'the trapped instance was thrown away');
        assert.ok(second.messages.length < list.length || events.some(({ type }) => type === 'cleared'));
        assert.deepEqual(events.filter(({ type, stepNumber }) => type === 'error' && stepNumber === 1), []);
      } finally {
        restore();
      }
    });
  }
}

test('a trap in the middle of a run forgets nothing: the step after it sends what would have been sent', async () => {
  const { stepfold, arm, restore } = await loadArmed();
  try {
    const play = async (withTrap) => {
      const prepareStep = stepfold.createPrepareStep({ contextWindow: 4_000 });
      const finished = [];
      const sent = [];
      for (let stepNumber = 0; stepNumber < 12; stepNumber += 1) {
        const messages = [user('Go on.'), ...talk(6 + stepNumber * 2)];
        if (withTrap && stepNumber === 6) arm('plan');
        sent.push((await prepareStep({ messages, steps: finished, stepNumber, model: 'mock' }))?.messages ?? messages);
        finished.push(usageOf(undefined));
      }
      return sent;
    };
    const [calmRun, trappedRun] = [await play(false), await play(true)];
    assert.ok(calmRun[5].length < 33, 'the run never folded before the trap');
    // Step 6 went on unchanged. From then on nothing may be lost; the same folds are held again.
    assert.ok(trappedRun.at(-1).length < 57, `${trappedRun.at(-1).length} messages were sent at the end`);
    assert.ok(JSON.stringify(trappedRun.at(-1)).includes('Go on.'));
  } finally {
    restore();
  }
});

test('functions outside a step throw the error of the package after a trap, and work again after it', async () => {
  const { stepfold, arm, restore, called } = await loadArmed();
  try {
    const before = stepfold.estimateTokens(list);
    assert.ok(called.includes('answer'), `the engine has no export \`answer\`; there are ${[...new Set(called)]}`);
    arm('answer');
    assert.throws(() => stepfold.estimateTokens(list), (error) => stepfold.StepfoldError.isInstance(error) && error.code === 'engine-failed' && error.cause instanceof WebAssembly.RuntimeError);
    assert.equal(stepfold.estimateTokens(list), before);
  } finally {
    restore();
  }
});

test('the engine that ships prints what a panic says', async () => {
  const { stepfold, imported, restore } = await loadArmed();
  try {
    stepfold.estimateTokens(list);
    assert.ok(imported.some((name) => /^__wbg_error_/.test(name)), `the engine does not import console.error, only ${imported}`);
  } finally {
    restore();
  }
});

test('an engine that never loads leaves every step as it was', async () => {
  const RealModule = WebAssembly.Module;
  const stepfold = await import(`${entry}?copy=${(copies += 1)}`);
  WebAssembly.Module = function () { throw new WebAssembly.CompileError('forbidden by the platform'); };
  try {
    const types = [];
    // The first use checks the options: there a platform that cannot run stepfold is told at once.
    assert.throws(() => stepfold.createPrepareStep({ onEvent: ({ type }) => types.push(type) }), (error) => stepfold.StepfoldError.isInstance(error) && error.code === 'engine-failed' && /cannot compile its WebAssembly/.test(error.message));
    // The zero-configuration one is created inside a step, where nothing may throw.
    assert.equal(await stepfold.prepareStep({ messages: list, steps: [], stepNumber: 0, model: 'mock' }), undefined);
  } finally {
    WebAssembly.Module = RealModule;
  }
});

test('isInstance recognises the error of another copy of the package, and nothing else', async () => {
  const [{ StepfoldError, createPrepareStep }, other] = await Promise.all([import(entry), import(`${entry}?copy`)]);
  assert.notEqual(other.StepfoldError, StepfoldError);
  let thrown;
  try { other.createPrepareStep({ triger: 1 }); } catch (error) { thrown = error; }
  assert.ok(!(thrown instanceof StepfoldError));
  assert.ok(StepfoldError.isInstance(thrown) && other.StepfoldError.isInstance(thrown));
  assert.throws(() => createPrepareStep({ triger: 1 }), other.StepfoldError.isInstance);
  for (const none of [undefined, null, 7, 'x', {}, new Error('x'), { code: 'invalid-option' }, Object.assign(new Error('x'), { name: 'StepfoldError' })]) assert.equal(StepfoldError.isInstance(none), false);
});

test('what is required is what is imported: there is one copy of the package', async () => {
  assert.equal(createRequire(import.meta.url)('stepfold').StepfoldError, (await import(entry)).StepfoldError);
});
