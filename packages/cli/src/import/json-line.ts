/** A line of NDJSON: an entry, a track body, or an exported user. The order of `kindOf` decides; the help describes it. */
import { exportableFields, parseExact } from '@roster/contract';
import { isRecord, type JsonObject, parsedJson, recordsIn } from '../json.ts';
import { arrayOf, guessed, type LineType, lineTypes } from './entry-kind.ts';
import { doesStayBehind, entriesOfExportedUser } from './exported-user.ts';
import { type AppIds, fitted } from './fitting.ts';
import {
  arrays,
  type Entry,
  type FurtherName,
  identifiers,
  type Reading,
  reading,
  unreadable,
} from './row.ts';
import { notJson, withoutInfinite } from './wrong-json.ts';

const isLineType = (value: unknown): value is LineType => lineTypes.some((type) => type === value);

const aliasType = 'alias';

/** Whether a member `type` tells the kind of the line. */
export const saysWhatItIs = (type: unknown): boolean => isLineType(type) || type === aliasType;

const parts = [...arrays, 'users', 'names'] as const;

const namesPerson = (line: JsonObject): boolean => identifiers.some((name) => line[name] != null);

/** `{"attributes": [...], "names": [...]}`, as `roster export` has them, or the answer of an export. */
const isBody = (line: JsonObject): boolean =>
  !namesPerson(line) && [...arrays, 'users'].some((name) => Array.isArray(line[name]));

const fields: ReadonlySet<string> = new Set(exportableFields);

/**
 * Members that only exported users have: no attribute entry can hold a service id beside a random bucket. The id of the hosted
 * service may also be a custom attribute, and stand beside others.
 */
const isExportedUser = (line: JsonObject): boolean => {
  const { custom_attributes, user_aliases, service_id, braze_id, random_bucket } = line;
  const id = service_id ?? braze_id ?? null;
  return (
    isRecord(custom_attributes) ||
    Array.isArray(user_aliases) ||
    (id !== null && random_bucket != null) ||
    (typeof braze_id === 'string' &&
      Object.keys(line).every((name) => fields.has(name) || doesStayBehind(name)))
  );
};

const kindOf = (line: JsonObject): LineType | 'body' => {
  // An exported user without an external id may have `purchases`, as a body has.
  if (isExportedUser(line)) return 'user';
  if (isBody(line)) return 'body';
  return guessed((member) => line[member] != null).type;
};

const userReading = (given: JsonObject, apps: AppIds): Reading => {
  const { user, leftOut: unfit } = fitted(given, apps);
  const { entries, leftOut, names } = entriesOfExportedUser(user);
  return reading(
    entries.map((value) => ({ array: 'attributes', value, isExported: true })),
    [...unfit, ...leftOut],
    names,
  );
};

const nameIn = (value: JsonObject): FurtherName => ({
  kind: value.former_external_ids == null ? 'alias' : 'former',
  value,
});

const bodyReading = (line: JsonObject, apps: AppIds): Reading => {
  const membersOf = (name: string) => recordsIn(line[name]);
  const isWrong = (value: unknown) => value != null && !(Array.isArray(value) && value.every(isRecord));
  const alien = parts.find((name) => isWrong(line[name]));
  if (alien) return unreadable('LINE_INVALID', `'${alien}' must be an array of objects`);
  const users = membersOf('users').map((user) => userReading(user, apps));
  return reading(
    [
      ...arrays.flatMap((array) => membersOf(array).map((value): Entry => ({ array, value }))),
      ...users.flatMap(({ entries }) => entries),
    ],
    users.flatMap(({ leftOut }) => leftOut),
    [...users.flatMap(({ names = [] }) => names), ...membersOf('names').map(nameIn)],
  );
};

const readingOf = (line: JsonObject, kind: LineType | 'body', apps: AppIds): Reading => {
  if (kind === 'body') return bodyReading(line, apps);
  return kind === 'user' ? userReading(line, apps) : reading([{ array: arrayOf[kind], value: line }]);
};

/** With all digits of long numbers; `undefined` when the text is no JSON. */
export const exactJson = (text: string): unknown => parsedJson(text, parseExact);

export interface LineOptions {
  /** Of every line: a `type` in a line is then an attribute like others. */
  type?: LineType | undefined;
  apps?: AppIds | undefined;
}

const readLine = (line: JsonObject, { type, apps = {} }: LineOptions): Reading => {
  if (type) return readingOf(line, type, apps);
  const { type: said, ...rest } = line;
  if (said === aliasType) return reading([], [], [{ kind: 'alias', value: rest }]);
  return isLineType(said) ? readingOf(rest, said, apps) : readingOf(line, kindOf(line), apps);
};

export const readJsonLine = (text: string, options: LineOptions = {}): Reading => {
  const line = exactJson(text);
  if (line === undefined) return notJson(text);
  if (!isRecord(line)) return unreadable('LINE_INVALID', 'the line must be a JSON object');
  return withoutInfinite(readLine(line, options));
};
