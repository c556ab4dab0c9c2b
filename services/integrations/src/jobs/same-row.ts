/** Rows about the same: what the older one says counts no more. */
import type { IntegrationDocument } from '@roster/store';
import type { MappedRow } from './collector.ts';

/** Rows of people and states say how it is now. Events are many for each person, unless a key tells them apart. */
export const createSameRow = ({ data, settings }: Pick<IntegrationDocument, 'data' | 'settings'>) => {
  const { key, mode } = JSON.parse(settings);
  const isOne = data !== 'events' && data !== 'purchases';
  const replaces = isOne || key !== undefined || mode === 'diff';
  return {
    /** Whether a later row with the same key takes the place of an earlier one. */
    replaces,
    /** What must not be on its way twice: of two rows about the same, the older one could fail after the later one was saved. */
    keysOf: (rows: readonly MappedRow[]): ReadonlySet<string> =>
      new Set(replaces ? rows.map(({ seen }) => seen.key) : []),
    /** The places of rows that a later one of the same request replaces. */
    replacedIn(rows: readonly MappedRow[]): ReadonlySet<number> {
      if (!replaces) return new Set();
      const last = new Map(rows.map(({ seen }, place) => [seen.key, place]));
      return new Set(rows.flatMap(({ seen }, place) => (last.get(seen.key) === place ? [] : [place])));
    },
  };
};

export type SameRow = ReturnType<typeof createSameRow>;
