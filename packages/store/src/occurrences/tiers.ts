/**
 * Merges old generations into larger ones, so that a person is read from few collections: sixteen of a tier become one of the next. The number
 * of generations grows like the logarithm of the rows.
 */
import type { GenerationDocument } from '../models/occurrences.ts';

/** So many of a tier are merged into one of the next tier. */
export const mergedAtOnce = 16;

/** With a quarter of a million rows in a generation, one of the last tier has a thousand million. */
const lastTier = 3;

/** Longer than any transaction that began while a generation was open: MongoDB ends it after a minute. */
const quietAfterMs = 5 * 60 * 1000;

export const tierOf = ({ tier = 0 }: Pick<GenerationDocument, 'tier'>): number => tier;

/** Its rows are being moved into a larger one. */
export const isMoving = ({ into, emptied }: GenerationDocument): boolean => into !== undefined && !emptied;

/** It is closed, and its rows are not being moved. */
const isAtRest = (one: GenerationDocument, now: number): boolean =>
  one.closed !== undefined &&
  one.closed.getTime() < now - quietAfterMs &&
  one.oldest !== undefined &&
  one.into === undefined;

/** A merge: the generations with the rows, and the one that gets them. */
export interface Merge {
  from: GenerationDocument[];
  into: GenerationDocument;
}

/** A merge that has begun. */
export const mergeUnderWay = (all: readonly GenerationDocument[]): Merge | undefined => {
  const moving = all.filter(isMoving);
  const into = all.find(({ _id }) => moving.some((one) => one.into === _id));
  return into && { into, from: moving.filter((one) => one.into === into._id) };
};

/** All merges that are due when none is under way: the oldest generations of the lowest tier come first. */
export const mergesDue = (all: readonly GenerationDocument[], now: number): GenerationDocument[][] => {
  const idle = all.filter((one) => isAtRest(one, now));
  const due: GenerationDocument[][] = [];
  for (let tier = 0; tier < lastTier; tier++) {
    const some = idle.filter((one) => tierOf(one) === tier);
    for (let from = 0; from + mergedAtOnce <= some.length; from += mergedAtOnce)
      due.push(some.slice(from, from + mergedAtOnce));
  }
  return due;
};
