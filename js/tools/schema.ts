// The schema of a tool's input as `jsonSchema()` makes it: ai 5, 6 and 7 know it by these symbols, so that `ai` need not be imported.

/** That of an object with these properties and no others; each may be missing. */
export const inputSchemaOf = (properties: Readonly<Record<string, object>>): object => ({
  [Symbol.for('vercel.ai.schema')]: true,
  [Symbol.for('vercel.ai.validator')]: true,
  _type: undefined,
  validate: undefined,
  jsonSchema: { type: 'object', properties, additionalProperties: false },
});
