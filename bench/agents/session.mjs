// What it is: the builder of sessions that the judge asks about: messages as an app on the AI SDK has them, and beside them the facts that
// are needed later. Deterministic. Not the judge (ask.mjs), and no fixture of the package's own tests.

/** A PNG of two by two pixels, for results and messages with an image. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEUlEQVR4nGP4z8DAwMDAAAAJAAEAVkcHVgAAAABJRU5ErkJggg==';
const SOURCES = ['user', 'result', 'model'];
const STYLES = ['tells', 'silent'];

/**
 * A session. `build()` gives `{ system, messages, facts }`, each time the same.
 *
 * `style` is `tells` where the model says what it finds, `silent` where everything stands in results alone. `input` is the form of what stands in its
 * messages (`xml`, `giants`…), of the sessions in `inputs/`; it is empty for those in `sessions/`.
 */
export function session({ id, kind, language, style, input = '' }, write) {
  for (const [name, value] of Object.entries({ id, kind, language })) if (typeof value !== 'string' || value === '') throw new Error(`session ${id}: expected \`${name}\` to be a text`);
  if (!STYLES.includes(style)) throw new Error(`session ${id}: expected \`style\` to be ${STYLES.join(' or ')}, not ${style}`);
  // Built once a process: a session may draw from a `random` that stands outside of it.
  let built;
  const build = () => {
    if (built === undefined) {
      const script = createScript(id);
      write(script.steps);
      built = script.finish();
    }
    return built;
  };
  return { id, kind, language, style, input, build };
}

/** What a session is written with; `finish` gives what was written. */
function createScript(id) {
  const messages = [];
  const facts = new Map();
  let system = '';
  let calls = 0;
  /** Text of the model that waits for the calls of its step, or for the end of its turn. */
  let said;
  /** What `fact` and `supersede` are about. */
  let last;
  const fail = (problem) => {
    throw new Error(`session ${id}, message ${messages.length}: ${problem}`);
  };
  const now = () => messages.length + (said === undefined ? 0 : 1);

  const endTurn = () => {
    if (said === undefined) return;
    messages.push({ role: 'assistant', content: [{ type: 'text', text: said.text }] });
    said = undefined;
  };
  const addUser = (content) => {
    endTurn();
    messages.push({ role: 'user', content });
    last = { at: messages.length - 1, parts: [] };
    return last;
  };
  const addStep = (list) => {
    const before = said === undefined ? [] : [{ type: 'text', text: said.text }];
    said = undefined;
    const asked = list.map(([toolName, input, output, how = {}]) => ({ toolName, input, output, how, toolCallId: `call_${id}_${(calls += 1)}` }));
    const requests = asked.flatMap(({ toolCallId, toolName, input, how }) => [
      { type: 'tool-call', toolCallId, toolName, input },
      ...(needsApproval(how) ? [{ type: 'tool-approval-request', approvalId: `approval_${toolCallId}`, toolCallId }] : []),
    ]);
    messages.push({ role: 'assistant', content: [...before, ...requests] });
    const answers = asked.filter(({ how }) => needsApproval(how)).map(({ toolCallId, how }) => approvalOf(toolCallId, how));
    const results = asked.map(({ toolCallId, toolName, output, how }) => ({ type: 'tool-result', toolCallId, toolName, output: outputOf(output, how) }));
    messages.push({ role: 'tool', content: [...answers, ...results] });
    const handles = asked.map(({ toolCallId }) => ({ at: messages.length - 1, parts: [toolCallId] }));
    last = { at: messages.length - 1, parts: asked.map(({ toolCallId }) => toolCallId) };
    return handles;
  };
  const addFact = (name, { words, beside = [], columns = [], by }, about = last) => {
    if (about === undefined) fail(`fact \`${name}\` is about nothing: write a message first`);
    if (facts.has(name)) fail(`there is a fact \`${name}\` already`);
    if (!isListOfTexts(words) || words.length === 0 || !isListOfTexts(beside) || !isListOfTexts(columns)) fail(`fact \`${name}\`: expected \`words\`, \`beside\` and \`columns\` to be lists of texts, and at least one word`);
    if (!SOURCES.includes(by)) fail(`fact \`${name}\`: expected \`by\` to be ${SOURCES.join(', ')}, not ${by}`);
    const { at } = about;
    facts.set(name, { id: name, words, beside, columns, by, at, parts: about.parts, from: at, until: Infinity, supersededBy: undefined });
  };
  const factOf = (name) => facts.get(name) ?? fail(`there is no fact \`${name}\``);

  const steps = {
    system(text) {
      system = system === '' ? text : `${system}\n\n${text}`;
    },
    user: (text) => addUser([{ type: 'text', text }]),
    userImage: (text) => addUser([{ type: 'text', text }, { type: 'file', data: PNG, mediaType: 'image/png' }]),
    says(text) {
      said = { text: said === undefined ? text : `${said.text}\n\n${text}` };
      // Beside calls or alone, it will be the next message.
      last = { at: messages.length, parts: [] };
      return last;
    },
    call: (toolName, input, output, how) => addStep([[toolName, input, output, how]])[0],
    calls: (list) => addStep(list),
    image: (toolName, input, text = '') => addStep([[toolName, input, text, { image: true }]])[0],
    fact: addFact,
    supersede(name, fact, about = last) {
      const old = factOf(name);
      const next = fact.id ?? `${name}'`;
      addFact(next, fact, about);
      old.until = facts.get(next).at;
      old.supersededBy = next;
    },
    need(name, { from = 'now' } = {}) {
      factOf(name).from = from === 'now' ? now() : from;
    },
    done(name) {
      factOf(name).until = now();
    },
  };
  return {
    steps,
    finish() {
      endTurn();
      return { system, messages, facts: [...facts.values()] };
    },
  };
}

/** A list instead of a text holds forms of which any will do. */
const isListOfTexts = (list) => Array.isArray(list) && list.every((text) => (Array.isArray(text) ? text.length > 0 && text.every(isText) : isText(text)));
const isText = (text) => typeof text === 'string' && text !== '';

const needsApproval = ({ denied, approval }) => denied !== undefined || approval === true;

function approvalOf(toolCallId, { denied }) {
  const answer = { type: 'tool-approval-response', approvalId: `approval_${toolCallId}`, approved: denied === undefined };
  return denied === undefined ? answer : { ...answer, reason: denied };
}

function outputOf(output, { error, denied, mcp = false, text = false, image = false }) {
  if (denied !== undefined) return { type: 'execution-denied', reason: denied };
  if (error !== undefined) return { type: 'error-text', value: error };
  if (image) return { type: 'content', value: [...(output ? [{ type: 'text', text: output }] : []), { type: 'image-data', data: PNG, mediaType: 'image/png' }] };
  const written = typeof output === 'string' ? output : JSON.stringify(output ?? null);
  if (mcp) return { type: 'json', value: { content: [{ type: 'text', text: written }], isError: false } };
  if (text || typeof output === 'string') return { type: 'text', value: written };
  // As the SDK stores it: what JSON does not hold is gone.
  return { type: 'json', value: JSON.parse(written) };
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Chance from a seed (mulberry32). */
export function random(seed) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (most) => Math.floor(next() * most);
  return {
    /** 0 to `most` - 1. */
    int,
    pick: (list) => list[int(list.length)],
    chance: (share) => next() < share,
    id: (prefix = '', length = 8) => prefix + Array.from({ length }, () => LETTERS[int(LETTERS.length)]).join(''),
    shuffle(list) {
      const shuffled = [...list];
      for (let index = shuffled.length - 1; index > 0; index -= 1) {
        const other = int(index + 1);
        [shuffled[index], shuffled[other]] = [shuffled[other], shuffled[index]];
      }
      return shuffled;
    },
  };
}
