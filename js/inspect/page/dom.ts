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
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 0 : 1)}M`;
  return value >= 1_000 ? `${(value / 1_000).toFixed(value >= 1e5 ? 0 : 1)}k` : String(Math.round(value));
}

export const dollars = (cost: number): string => `${cost < 0 ? '−' : ''}$${Math.abs(cost).toFixed(Math.abs(cost) < 1 ? 3 : 2)}`;
