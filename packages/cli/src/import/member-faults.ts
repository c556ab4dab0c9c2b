/** Why no workspace takes a member of a person: by the rules of the server itself. What depends on the workspace is asked of it (known-there.ts). */
import { country, holdsLong, languageOf, operationOf, timeZone } from '@roster/contract';
import { createLateJudge } from '@roster/judge';
import { isRecord, type JsonObject } from '../json.ts';
import { anyWorkspace } from './any-workspace.ts';
import type { Entry, Fault } from './row.ts';
import type { Member } from './spread.ts';

const track = operationOf('users.track');
const judge = createLateJudge();
const place = 'attributes[0]';
/** A workspace may allow each id. */
const settings = { ...anyWorkspace(1), suspiciousExternalIds: new Set<string>() };

const rejectionOf = ({ array, value }: Entry) => {
  const input = { body: { [array]: [value] }, exact: holdsLong(value), depth: Number.POSITIVE_INFINITY };
  const verdict = judge(track, input, settings);
  return verdict.ok ? undefined : verdict.rejection;
};

const faultOf = (value: JsonObject): string | undefined => {
  const rejection = rejectionOf({ array: 'attributes', value });
  return rejection?.errors?.[0]?.type ?? rejection?.message;
};

/** As the server says it, with the place in the entry. */
export const entryFault = (entry: Entry): Fault | undefined => {
  const [error] = rejectionOf(entry)?.errors ?? [];
  return error && { code: error.code, sentence: error.type.replace(`${entry.array}[0].`, '') };
};

const names = new Set(['external_id', 'email', 'phone', 'user_alias']);

/** From entries, not by assignment: `__proto__` is only a name here. */
const entryOf = (members: readonly Member[]): JsonObject => {
  const isNamed = members.some(([name]) => names.has(name));
  return Object.fromEntries(isNamed ? members : [['external_id', 'somebody'], ...members]);
};

/** Without the place, which has names of the person's own data. */
const reasonIn = (sentence: string, name: string): string => {
  const at = `${place}.${name} `;
  if (sentence.startsWith(at)) return sentence.slice(at.length);
  return sentence.startsWith(place) ? sentence.replace(/^.*? (?=must |has )/, '') : sentence;
};

export const isTaken = (members: readonly Member[]): boolean => faultOf(entryOf(members)) === undefined;

export const refusalOf = (member: Member): string | undefined => {
  const sentence = faultOf(entryOf([member]));
  return sentence === undefined ? undefined : reasonIn(sentence, member[0]);
};

/** Texts that the server takes, and leaves out when it applies them. */
const readers: Readonly<Record<string, (text: string) => string | undefined>> = {
  country,
  language: languageOf,
  time_zone: timeZone,
};

export const isUnknownText = ([name, value]: Member): boolean => {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read !== undefined && typeof value === 'string' && read(value) === undefined;
};

const changes = [['inc'], ['add', 'remove'], ['$add', '$update', '$remove']];

/** The value of a custom attribute that would be taken for a change of it. */
export const isChange = ([, value]: Member): boolean => {
  const inside = isRecord(value) ? Object.keys(value) : [];
  return inside.length > 0 && changes.some((words) => inside.every((name) => words.includes(name)));
};
