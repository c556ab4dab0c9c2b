/**
 * Registers of consent: the statements about a contact or a person. A register is a set of statements in the order of record, so
 * they may be added in any order, twice, or late; the last one counts.
 */
import { grouped } from '../grouped.ts';
import type { Consent, Said, Stamp } from '../profile.ts';

/** Consent belongs to an email, to a phone, or, for push, to the person. */
export type Channel = 'email' | 'phone';

const emailGroup = 'group:';
const smsGroup = 'sms:';

export const groupKey = (id: string, channel: 'email' | 'sms' = 'email'): string =>
  `${channel === 'sms' ? smsGroup : emailGroup}${id}`;

/** The subscription group of a register. */
export const groupIn = (k: string): string | undefined =>
  [emailGroup, smsGroup].flatMap((prefix) => (k.startsWith(prefix) ? k.slice(prefix.length) : []))[0];

export const channelOf = (k: string): Channel | undefined => {
  if (k === 'email' || k.startsWith(emailGroup)) return 'email';
  return k.startsWith(smsGroup) ? 'phone' : undefined;
};

/** The number of statements that each register keeps. It is smaller when there are many registers, so that all of them take some 300 KB. */
export const mostSaid = 100;
const mostInAll = 4000;
const leastSaid = 4;

const mostOf = (registers: number): number =>
  Math.max(leastSaid, Math.min(mostSaid, Math.floor(mostInAll / Math.max(1, registers))));

/** Requests overtake each other by seconds, rarely by minutes. Repetitions as young as this are kept one by one. */
const recent: Stamp = 10 * 60 * 1_000_000;

export const inOrder = (a: Said, b: Said): number => a.at - b.at || (a.n ?? 0) - (b.n ?? 0);

/** Two statements with the same key are one. */
const keyOf = ({ at, n = 0, of = '', from = '' }: Said): string => `${at} ${n} ${of} ${from}`;

/** Oldest first; the statement that counts comes last. */
export const saidIn = ({ k: _, earlier = [], ...last }: Consent): Said[] => [...earlier, last];

const isRepeated = (one: Said, other: Said | undefined): boolean =>
  other !== undefined &&
  one.v === other.v &&
  one.of === other.of &&
  one.from === other.from &&
  one.gone === other.gone;

/** Old statements that repeat each other are reduced to the first and the last. */
const pruned = (all: readonly Said[], most: number): Said[] => {
  const old = (all.at(-1)?.at ?? 0) - recent;
  const kept: Said[] = [];
  for (const [place, one] of all.entries()) {
    const isBetween = isRepeated(one, kept.at(-1)) && isRepeated(one, all[place + 1]);
    if (!isBetween || one.at >= old) kept.push(one);
  }
  return kept.slice(-most);
};

const registerOf = (k: string, all: readonly Said[], most = mostSaid): Consent | undefined => {
  const sorted = pruned(all.toSorted(inOrder), most);
  const last = sorted.findLast(({ gone }) => !gone) ?? sorted.at(-1);
  const earlier = sorted.filter((one) => one !== last);
  return last && { k, ...last, ...(earlier.length > 0 && { earlier }) };
};

/** Registers are replaced, never changed, so each list is read only once. */
const known = new WeakMap<readonly Consent[], ReadonlyMap<string, Consent>>();

const byName = (registers: readonly Consent[]): ReadonlyMap<string, Consent> => {
  const found = known.get(registers) ?? new Map(registers.map((one) => [one.k, one]));
  known.set(registers, found);
  return found;
};

/** Oldest first. */
export const saidOf = (registers: readonly Consent[] = [], k: string): Said[] => {
  const register = byName(registers).get(k);
  return register ? saidIn(register) : [];
};

/** Of two statements at the same place in the order of record the one that is added last stands. */
const together = (before: readonly Said[], news: readonly Said[]): Said[] => [
  ...new Map([...before, ...news].map((one) => [keyOf(one), one])).values(),
];

export const withSaid = (registers: readonly Consent[], k: string, ...news: readonly Said[]): Consent[] =>
  withStatements(
    registers,
    news.map((said) => ({ ...said, k })),
  );

/** The statement stays as a mark: people who have left the contact may have kept it. */
export const withoutSaid = (registers: readonly Consent[], k: string, gone: Said): Consent[] => {
  const isThere = saidOf(registers, k).some((one) => keyOf(one) === keyOf(gone));
  return isThere ? withSaid(registers, k, { ...gone, gone: true }) : [...registers];
};

/** The statements of a register that count, oldest first. */
export const countingIn = (register: Consent): Said[] => saidIn(register).filter(({ gone }) => !gone);

/** The statements after a stamp. */
export const saidAfter = (registers: readonly Consent[], stamp: Stamp): Consent[] =>
  registers.flatMap((one) => {
    const later = saidIn(one).filter((said) => said.at > stamp);
    return registerOf(one.k, later) ?? [];
  });

/** A statement and its register. */
export interface Stated extends Said {
  k: string;
}

/** The statements of one entry, added to each register in one go: there may be many. */
export const withStatements = (registers: readonly Consent[], statements: readonly Stated[]): Consent[] => {
  const all = new Map(registers.map((one) => [one.k, one]));
  for (const [k, stated] of grouped(statements, (one) => one.k)) {
    const own = all.get(k);
    const news = stated.map(({ k: _, ...said }) => said);
    const next = registerOf(k, together(own ? saidIn(own) : [], news), mostOf(all.size));
    if (next) all.set(k, next);
  }
  return [...all.values()];
};
