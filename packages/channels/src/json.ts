/** Small things about JSON that every channel needs. */
import { parseExact } from '@roster/contract';

/** `undefined`: it is none. Ids of providers may be whole numbers that a double does not hold. */
export const parsedJson = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
};

const memberOf = (inner: unknown, name: string): unknown =>
  typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
    ? (inner as Record<string, unknown>)[name]
    : undefined;

/** `messages.0.id`: the text or number in this place. */
export const textAt = (path: string | undefined, value: unknown): string | undefined => {
  const found = path?.split('.').reduce(memberOf, value);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint'
    ? String(found)
    : undefined;
};

/** `entry.*.messages.*`: whatever is in these places; `*` is every element of a list. */
export const allAt = (path: string, value: unknown): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>(
      (found, name) =>
        found.flatMap((inner) => (name === '*' && Array.isArray(inner) ? inner : [memberOf(inner, name)])),
      [value],
    );
