/**
 * Some provisioners send passwords, also inside of extensions. They are of no use here, and so go no further: not into the queue, and not
 * onto its disk. No attribute of Roster has the word in its name.
 */
import { mapSame } from '../../formats/present.ts';
import type { BodyRule, JsonObject } from '../../operation.ts';
import { Rejection } from '../../rejections/rejections.ts';
import type { Json } from '../../types.ts';

const isPassword = (name: string): boolean => name.length >= 8 && /password/i.test(name);

const quoted = /"(?:[^"\\]|\\.)*"/gs;

/** Names of members are compared without regard to case. */
const isNamed = (name: string, word: string): boolean =>
  name.length === word.length && name.toLowerCase() === word;

/** Texts in quotes may have the word. */
const namesPassword = (text: string): boolean => isPassword(text.replace(quoted, ''));

/** A filter compares with the password itself. Users have no such attribute, so nothing is found by it anyway. */
export const refusePasswordInFilter: BodyRule = ({ filter }) =>
  typeof filter === 'string' && namesPassword(filter) ? new Rejection('SCIM_FILTER_INVALID') : undefined;

const isPathOfPassword = (name: string, value: Json | undefined): boolean =>
  isNamed(name, 'path') && typeof value === 'string' && namesPassword(value);

function without(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? mapSame(value, without) : (withoutPasswords(value) as Json);
}

/** `emails[password eq "secret"]` becomes `emails[]`, which is refused. */
const withoutFilter = (path: string): string => {
  const begin = path.indexOf('[');
  return begin < 0 ? path : `${path.slice(0, begin)}[]`;
};

/** What is left of a member: nothing of a password; of an operation on one an empty text as its value, and its path without the filter. */
const memberOf = (name: string, value: Json | undefined, hidden: boolean): Json | undefined => {
  if (isPassword(name)) return undefined;
  if (hidden && isNamed(name, 'value')) return '';
  if (hidden && typeof value === 'string' && isPathOfPassword(name, value)) return withoutFilter(value);
  return value === undefined ? value : without(value);
};

/** The body without any password, at any depth; the same object when there is none. An operation on one stays, with an empty value. */
export function withoutPasswords(body: JsonObject): JsonObject {
  const names = Object.keys(body);
  const hidden = names.some((name) => isPathOfPassword(name, body[name]));
  const members = names.map((name) => memberOf(name, body[name], hidden));
  if (names.every((name, place) => members[place] === body[name])) return body;
  const kept = names.map((name, place): [string, Json | undefined] => [name, members[place]]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}
