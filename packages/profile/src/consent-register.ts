/** A register of consent: the statements that are kept, and the state that they lead to. */
import type { Consent, Said, Stamp } from './profile.ts';

/** The number of statements that each register keeps. It is smaller when there are many registers, so that all of them take some 300 KB. */
export const mostSaid = 100;

const mostInAll = 4000;

const leastSaid = 4;

export const mostOf = (registers: number): number =>
  Math.max(leastSaid, Math.min(mostSaid, Math.floor(mostInAll / Math.max(1, registers))));

/** Requests overtake each other by seconds, rarely by minutes. Repetitions as young as this are kept one by one. */
const recent: Stamp = 10 * 60 * 1_000_000;

export const inOrder = (a: Said, b: Said): number => a.at - b.at || (a.n ?? 0) - (b.n ?? 0);

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

export const registerOf = (k: string, all: readonly Said[], most = mostSaid): Consent | undefined => {
  const sorted = pruned(all.toSorted(inOrder), most);
  const last = sorted.findLast(({ gone }) => !gone) ?? sorted.at(-1);
  const earlier = sorted.filter((one) => one !== last);
  return last && { k, ...last, ...(earlier.length > 0 && { earlier }) };
};
