// The mind of the demo's mock model: decides the next action from the prompt it is sent, and from nothing else.
// A fact that is no longer in the prompt has to be looked up again, so lost context shows as extra steps.
// It reads pages as text; it does not know what stepfold is.

/** Lines read around a hit in a page that was too large to be seen whole. */
const LINES_AROUND = 30;

/**
 * What to say and which tools to call.
 *
 * @param prompt The prompt as a provider receives it.
 */
export function decide(prompt) {
  const seen = readPrompt(prompt);
  const said = [];
  for (const topic of seen.topics) {
    if (seen.notes.has(topic.number)) continue;
    const fact = seen.reads.map((read) => findDefault(read, topic, seen)).find((found) => found !== undefined);
    if (fact === undefined) {
      const { why, ...call } = nextCall(topic, seen);
      return { text: [...said, ...(said.length > 0 ? [progress(seen)] : []), why].join('\n'), calls: [call] };
    }
    said.push(`Noted #${topic.number}: \`${fact.option}\` defaults to ${fact.value} (${fact.page})`, `The page says: ${fact.quote}`);
    seen.notes.set(topic.number, fact);
  }
  return { text: [...said, ...report(seen)].join('\n'), calls: [] };
}

/** As models do, it keeps its own tally in view. */
function progress({ topics, notes }) {
  const done = topics.filter(({ number }) => notes.has(number)).map(({ number, subject }) => `${number} ${subject} ${notes.get(number).option} = ${notes.get(number).value}`);
  return `${done.length} of ${topics.length} are done: ${done.join('; ')}.`;
}

/** Everything the prompt tells: the task, the notes so far, and what tools returned and is still there. */
function readPrompt(prompt) {
  const calls = new Map();
  const seen = { topics: [], notes: new Map(), reads: [], searches: [], soughtInPages: new Set(), sought: new Set(), listed: false, sorted: false };
  for (const { role, content } of prompt) {
    if (role === 'system') continue;
    for (const part of content) {
      if (part.type === 'text') {
        if (role === 'user') readTask(part.text, seen);
        readNotes(part.text, seen);
      }
      if (part.type === 'tool-call') {
        calls.set(part.toolCallId, part);
        if (part.toolName === 'search' && part.input.path === undefined) seen.sought.add(part.input.query);
        if (part.toolName === 'search' && part.input.path !== undefined) seen.soughtInPages.add(`${part.input.path} ${part.input.query}`);
      }
      if (part.type === 'tool-result') readResult(calls.get(part.toolCallId), part.output.value, seen);
    }
  }
  return seen;
}

function readTask(text, seen) {
  for (const [, number, subject, asks] of text.matchAll(/^(\d+)\. (\w+): (.+)$/gm)) {
    seen.topics[Number(number) - 1] ??= { number: Number(number), subject, asks };
  }
  if (text.includes('sorted by page')) seen.sorted = true;
}

function readNotes(text, seen) {
  for (const [, number, option, value, page] of text.matchAll(/Noted #(\d+): `(.+?)` defaults to (.+?) \((docs\/[^)\s]+)\)/g)) {
    seen.notes.set(Number(number), { option, value, page });
  }
  if (/\blist(?:ed)?\b.*docs\/07-reference/i.test(text)) seen.listed = true;
}

function readResult(call, text, seen) {
  const { toolName, input } = call;
  if (toolName === 'list') seen.listed = true;
  if (toolName === 'search' && /^\d+ pages hold "/.test(text)) seen.searches.push({ ...input, pages: hitsOf(text) });
  if (toolName === 'read' && text.startsWith(`${input.path}, lines `)) seen.reads.push({ page: input.path, whole: input.offset === undefined, text });
}

/** Pages and lines of a search result. */
function hitsOf(text) {
  const pages = [];
  for (const line of text.split('\n').slice(1)) {
    const hit = /^ {2}(\d+): (.*)$/.exec(line);
    if (hit === null) pages.push({ path: line.replace(/ \(\d+ lines\)$/, ''), lines: [] });
    else pages.at(-1)?.lines.push({ number: Number(hit[1]), text: hit[2] });
  }
  return pages;
}

/** Lists once, searches, reads the first page that was not read yet; of a page whose middle is missing it searches and reads a part. */
function nextCall({ number, subject, asks }, { searches, sought, reads, listed }) {
  if (!listed) return { toolName: 'list', input: { path: 'docs/07-reference' }, why: 'I start with a look at the reference pages, to know how they are named and where each function is described.' };
  const search = searches.findLast(({ query, path }) => query === subject && path === undefined);
  // The search stands there without its result: the page that it led to may still be in view, with its middle missing.
  const holed = sought.has(subject) ? reads.findLast(({ whole, text }) => whole && text.includes(subject) && isCut(text)) : undefined;
  if (search === undefined && holed === undefined) {
    return { toolName: 'search', input: { query: subject }, why: `Next is #${number}, ${subject}: ${asks}. I search for ${subject} to find the page that describes it; what it takes and which defaults it has should be in its list of parameters.` };
  }
  const pages = search?.pages ?? [{ path: holed.page }];
  for (const { path } of pages) {
    const known = reads.filter(({ page }) => page === path);
    if (known.length === 0) {
      return { toolName: 'read', input: { path }, why: `For #${number} the search names ${pages.length} pages. I read ${path} and look for an option about ${asks}, and for what its description says about the default.` };
    }
    if (known.some(({ whole }) => !whole) || !known.some(({ text }) => isCut(text))) continue;
    const query = wordsOf(asks).join(' ');
    const inPage = searches.findLast((other) => other.path === path && other.query === query);
    if (inPage === undefined) {
      return { toolName: 'search', input: { query, path }, why: `The middle of ${path} was left out, and #${number} may be described there. I search inside the page for ${asks}.` };
    }
    const line = inPage.pages[0]?.lines[0];
    if (line !== undefined) {
      return { toolName: 'read', input: { path, offset: Math.max(1, line.number - LINES_AROUND), limit: 2 * LINES_AROUND }, why: `Line ${line.number} of ${path} speaks of it. I read the lines around it for the name of the option and its default.` };
    }
  }
  return { toolName: 'search', input: { query: `${subject} ${wordsOf(asks).join(' ')}` }, why: `None of the pages I read answers #${number}. I search again with other words.` };
}

/** What is cut says so. */
const isCut = (text) => text.includes(' left out …]') || text.includes(' left out by stepfold');

/** The option of a page whose description fits best and states a default. */
function findDefault({ page, whole, text }, { subject, asks }, { soughtInPages }) {
  // A part of a page answers what it was sought for; a whole page must at least name the thing.
  if (whole ? !text.includes(subject) : !soughtInPages.has(`${page} ${wordsOf(asks).join(' ')}`)) return undefined;
  const entries = text.split(/(?=\bname: ')/).flatMap((entry) => {
    const option = /^name: '([^']+)'/.exec(entry)?.[1];
    const value = /Default(?:s to|:) (.+?)\.?(?=\. |['"],?\n|$)/m.exec(entry)?.[1];
    const quote = /description:\s*(.+)/.exec(entry)?.[1];
    return option === undefined || value === undefined || quote === undefined ? [] : [{ option, value, page, quote, fit: overlap(entry, asks) }];
  });
  const best = entries.toSorted((a, b) => b.fit - a.fit)[0];
  // Of a page with a hole the better entry may be what is missing.
  return best !== undefined && best.fit >= (whole && isCut(text) ? 0.75 : 0.6) ? best : undefined;
}

/** Share of the words of a question that a text holds. */
function overlap(text, asks) {
  const lower = text.toLowerCase();
  const words = wordsOf(asks);
  return words.filter((word) => lower.includes(word)).length / words.length;
}

const wordsOf = (asks) => asks.toLowerCase().split(/\W+/).filter((word) => word.length > 3 && word !== 'whether' && word !== 'between');

function report({ topics, notes, sorted }) {
  const found = topics.map((topic) => ({ ...topic, ...notes.get(topic.number) }));
  if (sorted) found.sort((a, b) => (a.page < b.page ? -1 : a.page > b.page ? 1 : a.number - b.number));
  return found.map(({ number, subject, option, value, page }) => `${number}. ${subject}: \`${option}\` is **${value}** (${page})`);
}
