// JSON text of any value, for the engine: what a tool was given or returned, as a provider would be sent it.
// Never throws and never walks bytes: typed arrays are left out and reported by size, cycles and getters that throw are named.

/** JSON text of a value, and the bytes of typed arrays that were left out of it. */
export interface JsonText {
  readonly text: string;
  readonly omittedBytes: number;
}

/** Values looked at before a value is called a giant. */
const VALUES = 1_000_000;
/** Levels of nesting that are plain enough for `JSON.stringify`. */
const LEVELS = 200;

export function writeJson(value: unknown): JsonText {
  try {
    if (isPlainWhole(value)) return { text: JSON.stringify(value) ?? 'null', omittedBytes: 0 };
    const walk: Walk = { ancestors: [], left: VALUES, omitted: 0 };
    const text = write(value, walk) ?? 'null';
    return { text, omittedBytes: walk.omitted };
  } catch {
    return { text: '"[unreadable]"', omittedBytes: 0 };
  }
}

function isPlainWhole(value: unknown): boolean {
  try {
    return isPlain(value, { left: VALUES }, 0);
  } catch {
    // A getter threw.
    return false;
  }
}

/** Whether `JSON.stringify` would neither throw, nor recurse deeply, nor spell out bytes. */
function isPlain(value: unknown, budget: { left: number }, level: number): boolean {
  if ((budget.left -= 1) < 0) return false;
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (level > LEVELS) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item, budget, level + 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  for (const key in value) if (!isPlain((value as Record<string, unknown>)[key], budget, level + 1)) return false;
  return true;
}

interface Walk {
  readonly ancestors: object[];
  left: number;
  omitted: number;
}

/** As `JSON.stringify` would, where it can. Undefined for what JSON leaves out. */
function write(value: unknown, walk: Walk): string | undefined {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : writeObject(value, walk);
    case 'function':
    case 'symbol':
    case 'undefined':
      return undefined;
    default:
      return JSON.stringify(value);
  }
}

function writeObject(value: object, walk: Walk): string | undefined {
  // Of a buffer or a view of any kind `JSON.stringify` writes nothing.
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    walk.omitted += value.byteLength;
    return '"[bytes]"';
  }
  if (walk.ancestors.includes(value)) return '"[circular]"';
  if (walk.ancestors.length > LEVELS) return '"[too deep]"';
  if ((walk.left -= 1) < 0) return '"[too large]"';
  walk.ancestors.push(value);
  try {
    const plain = readToJson(value);
    if (plain !== value) return write(plain, walk);
    if (Array.isArray(value)) {
      const items: string[] = [];
      for (let index = 0; index < value.length && (walk.left -= 1) >= 0; index += 1) items.push(write(value[index], walk) ?? 'null');
      return `[${items.join(',')}]`;
    }
    const fields: string[] = [];
    for (const key of Object.keys(value)) {
      if ((walk.left -= 1) < 0) break;
      const text = write(readField(value, key), walk);
      if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
    }
    return `{${fields.join(',')}}`;
  } finally {
    walk.ancestors.pop();
  }
}

function readToJson(value: object): unknown {
  try {
    const { toJSON } = value as { toJSON?: unknown };
    return typeof toJSON === 'function' ? toJSON.call(value) : value;
  } catch {
    return '[unreadable]';
  }
}

function readField(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return '[unreadable]';
  }
}
