/** The texts of a message that are Liquid: found once for a delivery, written for each person. */

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Content = { [name: string]: Json };

export interface Place {
  path: readonly string[];
  text: string;
}

const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%');

const textsIn = (value: Json, path: readonly string[]): Place[] => {
  if (typeof value === 'string') return isLiquid(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
};

/** Addresses of an email are no templates: nobody becomes a recipient, or the sender, by a text. */
const addresses: ReadonlySet<string> = new Set(['from', 'reply_to', 'bcc']);

/** In the order of the message. */
export const liquidIn = (content: Content, path: readonly string[] = []): Place[] =>
  Object.entries(content).flatMap(([name, value]) =>
    addresses.has(name) ? [] : textsIn(value, [...path, name]),
  );

const put = (value: Json, [name, ...rest]: readonly string[], text: string): Json => {
  if (name === undefined || typeof value !== 'object' || value === null) return text;
  if (Array.isArray(value))
    return value.map((inner, place) => (String(place) === name ? put(inner, rest, text) : inner));
  return Object.fromEntries(
    Object.entries(value).map(([own, inner]) => [own, own === name ? put(inner, rest, text) : inner]),
  );
};

/** The message with these texts in these places. */
export const withTexts = (content: Content, places: readonly Place[], texts: readonly string[]): Content =>
  places.reduce<Json>((written, { path }, at) => put(written, path, texts[at] ?? ''), content) as Content;
