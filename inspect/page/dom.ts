// Elements of the page, made of text and attributes alone.

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] =>
  filled(document.createElement(name), attributes, children);

export const drawn = <Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[Name] =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Short, for axes and rows: 950, 12.3k, 1.2M. */
export function short(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const [unit, name] = value >= 999_500 ? ([1e6, 'M'] as const) : ([1_000, 'k'] as const);
  return `${Number((value / unit).toFixed(value >= unit * 100 ? 0 : 1))}${name}`;
}

export const dollars = (cost: number): string => `${cost < 0 ? '−' : ''}$${Math.abs(cost).toFixed(Math.abs(cost) < 1 ? 3 : 2)}`;
