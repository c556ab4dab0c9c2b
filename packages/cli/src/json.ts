import type { Json } from '@roster/contract';

/** JSON values from outside: nothing is known of them yet. */
export type JsonObject = { [name: string]: Json };

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a list; none of anything else. */
export const recordsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `undefined` when the text is no JSON. */
export const parsedJson = (text: string, parse: (text: string) => unknown = JSON.parse): unknown => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};
