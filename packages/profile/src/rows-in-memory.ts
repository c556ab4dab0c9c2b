/** For tests: events and purchases in memory. */
import type { Holder } from './holder-keys.ts';
import type { Profile, Stamp } from './profile.ts';

/** @public The declarations of people-in-memory.ts name it. */
export interface Row {
  profile: string;
  token: string;
  at: Stamp;
}

export const byChange = (a: Holder, b: Holder): number =>
  b.updated_at - a.updated_at || (a._id < b._id ? -1 : 1);

/** Events by person, and the moments that the rules ask for. */
export const createRows = (profiles: ReadonlyMap<string, Profile>) => {
  const rows: Row[] = [];

  const rowsOf = (id: string): Row[] => {
    const ids = new Set([id, ...(profiles.get(id)?.absorbed ?? [])]);
    return rows.filter(({ profile }) => ids.has(profile));
  };

  const lastOf = (some: readonly Row[]): Stamp => Math.max(0, ...some.map(({ at }) => at));

  return {
    rows,
    rowsOf,
    lastBy: (id: string): Stamp => lastOf(rowsOf(id)),

    /** By the stamp and the person, as `personAtKey` puts them. */
    lastUpTo(key: string): Stamp {
      const colon = key.indexOf(':');
      const until = Number(key.slice(0, colon));
      return lastOf(rowsOf(key.slice(colon + 1)).filter(({ at }) => at <= until));
    },
  };
};
