/** What is sent, as JSON. What JSON would change without a word is refused: it makes `null` of NaN, and `null` removes an attribute. */

const isOdd = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isFinite(value)
    : value instanceof Map || value instanceof Set || (value instanceof Date && Number.isNaN(+value));

/** Throws with the first place that JSON would change. */
const refuseOdd = (value: unknown, place: string): void => {
  if (isOdd(value)) throw new TypeError(`${place} is ${value}, which JSON can't hold`);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return;
  for (const [name, member] of Object.entries(value)) refuseOdd(member, `${place}.${name}`);
};

/** What is odd has become one of these; most texts have none. */
const traces = /null|\{\}/;

export const jsonOf = (value: unknown, place: string): string => {
  const text = JSON.stringify(value) ?? 'null';
  if (traces.test(text)) refuseOdd(value, place);
  return text;
};
