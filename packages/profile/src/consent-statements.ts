/** Statements in registers of consent: added, removed, replaced. */
import { keyOf, saidIn } from './consent.ts';
import { mostOf, registerOf } from './consent-register.ts';
import type { Consent, Said } from './profile.ts';

/** With a new register; without it when it is empty. */
const replaced = (registers: readonly Consent[], k: string, all: readonly Said[]): Consent[] => {
  const next = registerOf(k, all, mostOf(registers.length));
  const place = registers.findIndex((one) => one.k === k);
  if (place < 0) return next ? [...registers, next] : [...registers];
  return registers.flatMap((one, index) => (index === place ? (next ?? []) : one));
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
  replaced(registers, k, together(saidOf(registers, k), news));

/** The statement stays as a mark: people who have left the contact may have kept it. */
export const withoutSaid = (registers: readonly Consent[], k: string, gone: Said): Consent[] => {
  const isThere = saidOf(registers, k).some((one) => keyOf(one) === keyOf(gone));
  return isThere ? withSaid(registers, k, { ...gone, gone: true }) : [...registers];
};

/** A statement and its register. */
export interface Statement extends Said {
  k: string;
}

/** The statements of one entry, added to each register in one go: there may be many. */
export const withStatements = (
  registers: readonly Consent[],
  statements: readonly Statement[],
): Consent[] => {
  const news = new Map<string, Said[]>();
  for (const { k, ...said } of statements) {
    const some = news.get(k);
    if (some) some.push(said);
    else news.set(k, [said]);
  }
  const all = new Map(registers.map((one) => [one.k, one]));
  for (const [k, some] of news) {
    const own = all.get(k);
    const next = registerOf(k, together(own ? saidIn(own) : [], some), mostOf(all.size));
    if (next) all.set(k, next);
  }
  return [...all.values()];
};
