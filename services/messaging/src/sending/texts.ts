/** The texts of a message that are Liquid: found once for a delivery, written for each person. */
import { isLiquid, type Json } from '@roster/contract';

export type Content = { [name: string]: Json };

export interface Place {
  path: readonly string[];
  text: string;
}

const textsIn = (value: Json, path: readonly string[]): Place[] => {
  if (typeof value === 'string') return isLiquid(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
};

/** Addresses of an email are no templates: nobody becomes a recipient, or the sender, by a text. */
export const addresses: Set<string> = new Set(['from', 'reply_to', 'bcc']);

/** In the order of the message. */
export const liquidIn = (content: Content, path: readonly string[] = []): Place[] =>
  Object.entries(content).flatMap(([name, value]) =>
    addresses.has(name) ? [] : textsIn(value, [...path, name]),
  );

/** Texts by their place in the message, as deep as they stand there. */
type Fill = Map<string, Fill | number>;

const fillOf = (places: readonly Place[]): Fill => {
  const fill: Fill = new Map();
  for (const [at, { path }] of places.entries()) {
    let inner = fill;
    for (const name of path.slice(0, -1)) {
      const next = inner.get(name);
      const deeper = next instanceof Map ? next : new Map();
      inner.set(name, deeper);
      inner = deeper;
    }
    inner.set(path.at(-1) ?? '', at);
  }
  return fill;
};

const filled = (value: Json, fill: Fill, texts: readonly string[]): Json => {
  if (typeof value !== 'object' || value === null) return value;
  const of = (name: string, inner: Json): Json => {
    const place = fill.get(name);
    if (place === undefined) return inner;
    return typeof place === 'number' ? (texts[place] ?? '') : filled(inner, place, texts);
  };
  if (Array.isArray(value)) return value.map((inner, at) => of(String(at), inner));
  // From entries: a member may be called `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, of(name, inner)]));
};

/** What a copied member takes, about. */
const bytesOfMember = 32;

const bytesOfCopy = (value: Json, fill: Fill): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.entries(value);
  return members.reduce((sum, [name, inner]) => {
    const place = fill.get(name);
    return sum + (place instanceof Map ? bytesOfCopy(inner, place) : 0);
  }, members.length * bytesOfMember);
};

export const formOf = (content: Content, places: readonly Place[]) => {
  const fill = fillOf(places);
  return {
    /** The message with these texts in its places. Only what stands around a place is copied. */
    withTexts: (texts: readonly string[]) => filled(content, fill, texts) as Content,
    /** What the copy takes, besides its texts. */
    bytes: bytesOfCopy(content, fill),
  };
};
