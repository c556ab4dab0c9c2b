/** What is sent, as JSON. What JSON would change without a word is refused: it makes `null` of NaN, and `null` removes an attribute. */

const oddOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (value instanceof Map) return 'a Map';
  if (value instanceof Set) return 'a Set';
  return value instanceof Date && Number.isNaN(value.getTime()) ? 'an invalid Date' : undefined;
};

/** The first place that JSON would change, and what stands there. */
const oddIn = (value: unknown, place: string): string | undefined => {
  const odd = oddOf(value);
  if (odd !== undefined) return `${place} is ${odd}, which JSON can't hold`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const found = oddIn(member, isList ? `${place}[${name}]` : `${place}.${name}`);
    if (found) return found;
  }
  return undefined;
};

/** What is odd has become one of these; most texts have none. */
const traces = /null|\{\}/;

export const jsonOf = (value: unknown, place: string): string => {
  const text = JSON.stringify(value) ?? 'null';
  const odd = traces.test(text) ? oddIn(value, place) : undefined;
  if (odd) throw new TypeError(odd);
  return text;
};
