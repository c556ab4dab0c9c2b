/**
 * Some provisioners send passwords, also inside of extensions. They are of no use here, and so go no further: not into the queue, and not
 * onto its disk. No attribute of Roster has the word in its name.
 */
import type { JsonObject } from '../../operation.ts';
import { isJsonObject, type Json } from '../../types.ts';

const isPassword = (name: string): boolean => /password/i.test(name);

const quoted = /"(?:[^"\\]|\\.)*"/gs;

const isAboutPassword = (operation: JsonObject): boolean =>
  Object.entries(operation).some(
    ([name, value]) =>
      name.toLowerCase() === 'path' && typeof value === 'string' && isPassword(value.replace(quoted, '')),
  );

const listWithout = (list: Json[]): Json[] => {
  const kept = list.map(without);
  return kept.some((item, index) => item !== list[index]) ? kept : list;
};

function without(value: Json): Json {
  if (Array.isArray(value)) return listWithout(value);
  return isJsonObject(value) ? (withoutPasswords(value) as Json) : value;
}

/** The body without any password, at any depth; the same object when there is none. An operation on one stays, with an empty value. */
export function withoutPasswords(body: JsonObject): JsonObject {
  const hidden = isAboutPassword(body);
  const memberOf = (name: string, value: Json | undefined): Json | undefined =>
    hidden && name.toLowerCase() === 'value' ? '' : value === undefined ? value : without(value);
  const members = Object.entries(body);
  const kept = members
    .filter(([name]) => !isPassword(name))
    .map(([name, value]): [string, Json | undefined] => [name, memberOf(name, value)]);
  const isSame =
    kept.length === members.length && kept.every(([, value], index) => value === members[index]?.[1]);
  return isSame ? body : Object.fromEntries(kept);
}
