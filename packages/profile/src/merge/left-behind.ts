/** The values that are lost when two people become one: their names, for the outcome. */

import { type ListName, listNames, type Profile, type Value } from '../profile.ts';
import { keyOf } from '../whole.ts';
import { keptByIdentify } from './merge-profiles.ts';

export interface LeftBehind {
  field: string;
  /**
   * `label_taken`: the kept profile has another alias under this label. `kept_other`: it has another value. `list_full`: the oldest
   * items made room. `not_merged`: this is not taken over at all.
   */
  reason: 'label_taken' | 'kept_other' | 'list_full' | 'not_merged';
}

const isSame = (a: Value, b: Value): boolean => a === b || keyOf(a) === keyOf(b);

/** Session dates are chosen from both: neither is left behind. */
const chosen: ReadonlySet<string> = new Set(['date_of_first_session', 'date_of_last_session']);

const valuesOf = ({ fields, custom }: Profile): ReadonlyMap<string, Value> =>
  new Map(
    [
      ...Object.entries(fields).map(([name, { v }]) => [name, v] as const),
      ...custom.map(({ k, v }) => [k, v] as const),
    ].filter(([, v]) => v !== null),
  );

const aliasesLeft = (away: Profile, merged: Profile): LeftBehind[] => {
  const moved = new Set((merged.aliases ?? []).map(({ label, name }) => JSON.stringify([label, name])));
  return (away.aliases ?? [])
    .filter(({ label, name }) => !moved.has(JSON.stringify([label, name])))
    .map(({ label }) => ({ field: `user_aliases.${label}`, reason: 'label_taken' }));
};

const externalIdLeft = (away: Profile, merged: Profile): LeftBehind[] =>
  away.external_id === undefined || away.external_id === merged.external_id
    ? []
    : [{ field: 'external_id', reason: 'kept_other' }];

const keysOf = ({ lists }: Profile, name: ListName): string[] => (lists[name]?.items ?? []).map(({ k }) => k);

const listsCut = (kept: Profile, away: Profile, merged: Profile): LeftBehind[] =>
  listNames
    .filter((name) => {
      const all = new Set([...keysOf(kept, name), ...keysOf(away, name)]);
      return all.size > keysOf(merged, name).length;
    })
    .map((field) => ({ field, reason: 'list_full' }));

export const leftInMerge = (kept: Profile, away: Profile, merged: Profile): LeftBehind[] => {
  const after = valuesOf(merged);
  const values = [...valuesOf(away)].filter(([name, value]) => {
    const own = after.get(name);
    return !chosen.has(name) && (own === undefined || !isSame(own, value));
  });
  return [
    ...externalIdLeft(away, merged),
    ...aliasesLeft(away, merged),
    ...values.map(([field]): LeftBehind => ({ field, reason: 'kept_other' })),
    ...listsCut(kept, away, merged),
  ];
};

/** In an `identify` without a merge. */
export const leftInIdentify = (identified: Profile, other: Profile, joined: Profile): LeftBehind[] => {
  const lists = listNames.filter((name) => !keptByIdentify.includes(name) && keysOf(other, name).length > 0);
  const cut = listsCut(identified, other, joined).filter(
    ({ field }) => !lists.some((name) => name === field),
  );
  const isTaken = (field: string): boolean =>
    (field === 'email' || field === 'phone') &&
    isSame(joined.fields[field]?.v ?? null, other.fields[field]?.v ?? null);
  return [
    ...aliasesLeft(other, joined),
    ...[...[...valuesOf(other).keys()].filter((field) => !isTaken(field)), ...lists].map(
      (field): LeftBehind => ({ field, reason: 'not_merged' }),
    ),
    ...cut,
  ];
};
