// Makes sessions of a support desk out of the customers of a domain: lists of messages, and the writes at their steps.

import { Ledger, TOOLS_TOKENS } from '../replay/tokens.mjs';

export const SYSTEM = 'You are a support agent.';
/** Customers who come between a question and its answer in a queue. */
const BETWEEN = 3;
/** First names of those who come again. */
const NAMES = ['Nora', 'Pavel', 'Tessa', 'Bruno', 'Greta', 'Anton', 'Wilma', 'Oskar', 'Ines'];
/** A last session of less than this share is not worth playing: its customers go to the others. */
const LEAST_SESSION = 0.2;

export const ORDERS = ['desk', 'queue'];
export const AGENTS = ['silent', 'tells'];

const turned = (letter, first, many, by) => String.fromCharCode(first + ((letter.charCodeAt(0) - first + by) % many));
const withOtherDigits = (id, by) => id.replace(/\d/g, (digit) => turned(digit, 48, 10, by));
const withOtherLetters = (id, by) => id.replace(/^[A-Z\d]+$/, (code) => code.replace(/[A-Z]/g, (letter) => turned(letter, 65, 26, by)));

/**
 * Some tasks are about the same person, and a large window needs more customers than there are tasks. Whoever comes again comes as somebody
 * else: another first name, other digits in all that is theirs. So nobody's answer stands in somebody else's results.
 */
function asSomebodyElse(customer, visit) {
  if (visit === 0) return customer;
  const first = customer.name.split(' ')[0];
  const other = NAMES[visit - 1];
  let text = JSON.stringify(customer);
  const longestFirst = [...new Set(customer.own)].sort((left, right) => right.length - left.length);
  for (const id of longestFirst) text = text.replaceAll(id, withOtherLetters(withOtherDigits(id, visit), visit));
  text = text.replace(new RegExp(`\\b${first}\\b`, 'g'), other);
  return JSON.parse(text.replace(new RegExp(`\\b${first.toLowerCase()}(?=[_.])`, 'g'), other.toLowerCase()));
}

const say = (role, text) => ({ messages: [{ role, content: [{ type: 'text', text }] }] });
const outputOf = (value) => (typeof value === 'string' ? { type: 'text', value } : { type: 'json', value });

/** A step that calls a tool, without an id yet. */
function call({ tool: toolName, input, output }, write) {
  const asked = { role: 'assistant', content: [{ type: 'tool-call', toolName, input }] };
  return { messages: [asked, { role: 'tool', content: [{ type: 'tool-result', toolName, output: outputOf(output) }] }], write };
}

function ask({ ask: wish, reads, writes, tells }, agent) {
  const told = agent === 'tells' ? tells : 'I have looked that up.';
  return [
    say('user', wish),
    ...reads.map((read) => call(read)),
    say('assistant', `${told}${writes.length > 0 ? ' Shall I go ahead?' : ''}`),
  ];
}

const confirm = ({ confirm: yes, writes }) =>
  writes.length === 0 ? [] : [say('user', yes), ...writes.map((write) => call(write, write)), say('assistant', 'Done.')];

/** What a customer brings, in tokens. */
function sizeOf(customer, ledger) {
  return ledger.count([...ask(customer, 'silent'), ...confirm(customer)].flatMap(({ messages }) => messages));
}

function inOrder(group, { order, agent }) {
  if (order === 'desk') return [...group.flatMap((customer) => ask(customer, agent)), ...group.flatMap(confirm)];
  const places = Array.from({ length: group.length + BETWEEN }, (_, at) => at);
  return places.flatMap((at) => [
    ...(at < group.length ? ask(group[at], agent) : []),
    ...(at >= BETWEEN ? confirm(group[at - BETWEEN]) : []),
  ]);
}

/** Customers in the order of the tasks, a group for each session; `depth` windows of raw history in each, as far as there are customers. */
function groupsOf(customers, { window, depth, overhead }) {
  const ledger = new Ledger();
  const all = customers.filter(({ reads }) => reads.length > 0);
  const sizes = all.map((customer) => sizeOf(customer, ledger));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const groups = Array.from({ length: Math.ceil(total / (depth * window) - LEAST_SESSION) || 1 }, () => []);
  const visits = new Map();
  let next = 0;
  for (const group of groups) {
    for (let room = depth * window - overhead; room > 0 && next < all.length * NAMES.length; next += 1) {
      const customer = all[next % all.length];
      const visit = visits.get(customer.name) ?? 0;
      if (visit > NAMES.length) continue;
      visits.set(customer.name, visit + 1);
      group.push(asSomebodyElse(customer, visit));
      room -= sizes[next % all.length];
    }
  }
  return groups;
}

/**
 * Sessions as lists for the harness: `{ system, messages, steps, ledger, overhead, customers, writes }`; `writes` has the write of a step
 * by its `at`.
 */
export function sessionsOf(customers, { window, order, agent, depth = 2.5 }) {
  const ledger = new Ledger();
  let serial = 0;
  const withIds = ({ messages, write }) => {
    if (messages.length === 1) return { messages, write };
    const toolCallId = `call_${serial}`;
    serial += 1;
    return { messages: messages.map(({ role, content: [part] }) => ({ role, content: [{ ...part, toolCallId }] })), write };
  };
  return groupsOf(customers, { window, depth, overhead: TOOLS_TOKENS }).map((group) => {
    const list = { system: SYSTEM, messages: [], steps: [], writes: new Map(), ledger, overhead: TOOLS_TOKENS, customers: group.length };
    for (const { messages, write } of inOrder(group, { order, agent }).map(withIds)) {
      const at = list.messages.length;
      if (messages[0].role === 'assistant') list.steps.push({ at, end: at + 1 });
      if (write !== undefined) list.writes.set(at, write);
      list.messages.push(...messages);
    }
    return list;
  });
}
