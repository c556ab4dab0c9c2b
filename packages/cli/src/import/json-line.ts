/** A line of NDJSON: an entry, a track body, or an exported user. The order of `kindOf` decides; the help describes it. */
import { parseExact } from '@roster/contract';
import { isRecord, type JsonObject, recordsIn } from '../json.ts';
import { entriesOfExportedUser } from './exported-user.ts';
import { aliasType, isLineType, kindOf, type LineType } from './line-type.ts';
import {
  type ArrayName,
  arrays,
  type Entry,
  type FurtherName,
  type Reading,
  reading,
  unreadable,
} from './row.ts';

export const arrayOf: Readonly<Record<Exclude<LineType, 'user'>, ArrayName>> = {
  attributes: 'attributes',
  event: 'events',
  purchase: 'purchases',
};

const parts = [...arrays, 'users', 'names'] as const;

const userReading = (user: JsonObject): Reading => {
  const { entries, leftOut, names } = entriesOfExportedUser(user);
  return reading(
    entries.map((value) => ({ array: 'attributes', value })),
    leftOut,
    names,
  );
};

const nameIn = (value: JsonObject): FurtherName => ({
  kind: value.former_external_ids == null ? 'alias' : 'former',
  value,
});

const bodyReading = (line: JsonObject): Reading => {
  const membersOf = (name: string) => recordsIn(line[name]);
  const isWrong = (value: unknown) => value != null && !(Array.isArray(value) && value.every(isRecord));
  const alien = parts.find((name) => isWrong(line[name]));
  if (alien) return unreadable('LINE_INVALID', `'${alien}' must be an array of objects`);
  const users = membersOf('users').map(userReading);
  return reading(
    [
      ...arrays.flatMap((array) => membersOf(array).map((value): Entry => ({ array, value }))),
      ...users.flatMap(({ entries }) => entries),
    ],
    users.flatMap(({ leftOut }) => leftOut),
    [...users.flatMap(({ names = [] }) => names), ...membersOf('names').map(nameIn)],
  );
};

const readingOf = (line: JsonObject, kind: LineType | 'body'): Reading => {
  if (kind === 'body') return bodyReading(line);
  return kind === 'user' ? userReading(line) : reading([{ array: arrayOf[kind], value: line }]);
};

const parse = (text: string): unknown => {
  try {
    return parseExact(Buffer.from(text));
  } catch {
    return undefined;
  }
};

/** With `type` every line is of that kind, and a `type` in the line is an attribute like others. */
export const readJsonLine = (text: string, type?: LineType): Reading => {
  const line = parse(text);
  if (line === undefined) return unreadable('LINE_NOT_JSON', 'the line is not valid JSON');
  if (!isRecord(line)) return unreadable('LINE_INVALID', 'the line must be a JSON object');
  if (type) return readingOf(line, type);
  const { type: said, ...rest } = line;
  if (said === aliasType) return reading([], [], [{ kind: 'alias', value: rest }]);
  return isLineType(said) ? readingOf(rest, said) : readingOf(line, kindOf(line));
};
