/** Some provisioners send passwords. They are of no use here, and so go no further: not into the queue, and not onto its disk. */
import type { JsonObject } from '../../operation.ts';
import { isJsonObject, type Json } from '../../types.ts';

const isPassword = (name: string): boolean => /^(urn:[^ ]+:)?password$/i.test(name);

/** The same object when there is none. */
export function withoutPassword(body: JsonObject): JsonObject {
  if (!Object.keys(body).some(isPassword)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isPassword(name)));
}

const isAboutPassword = (operation: JsonObject): boolean =>
  Object.entries(operation).some(
    ([name, value]) => name.toLowerCase() === 'path' && isPassword(String(value).trim()),
  );

function withoutItsPassword(operation: Json): Json {
  if (!isJsonObject(operation)) return operation;
  const hidden = isAboutPassword(operation);
  const members = Object.entries(operation).map(([name, value]): [string, Json | undefined] => {
    if (name.toLowerCase() !== 'value') return [name, value];
    if (hidden) return [name, ''];
    return [name, isJsonObject(value) ? (withoutPassword(value) as Json) : value];
  });
  return Object.fromEntries(members) as Json;
}

/** The same in the operations of a PATCH. */
export function withoutPasswords(body: JsonObject): JsonObject {
  if (!JSON.stringify(body).toLowerCase().includes('password')) return body;
  const members = Object.entries(body).map(([name, value]) =>
    name.toLowerCase() === 'operations' && Array.isArray(value)
      ? [name, value.map(withoutItsPassword)]
      : [name, value],
  );
  return Object.fromEntries(members);
}
