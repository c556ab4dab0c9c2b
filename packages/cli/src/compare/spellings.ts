/** Values of a person that the two services write in different ways. Pure. */
import { country, languageOf, timeZone } from '@roster/contract';

type Reader = (text: string) => string | undefined;

const readers: ReadonlyMap<string, Reader> = new Map([
  ['country', country],
  ['language', languageOf],
  ['time_zone', timeZone],
  // A number there or here.
  ['sessions', (text: string) => text],
]);

const isWritten = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

export const isSameSpelling = (name: string, theirs: unknown, ours: unknown): boolean => {
  const read = readers.get(name);
  if (!read || !isWritten(theirs) || !isWritten(ours)) return false;
  const value = read(String(theirs));
  return value !== undefined && value === read(String(ours));
};

const consents: ReadonlySet<string> = new Set(['email_subscribe', 'push_subscribe']);

/** Without a statement a person is `subscribed`: one service writes it, the other has no member. */
export const withUsual = (name: string, value: unknown): unknown =>
  consents.has(name) ? (value ?? 'subscribed') : value;
