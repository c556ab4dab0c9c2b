/**
 * The update that turns a stored profile into another one. It holds only the changed parts, because writing whole documents costs three times
 * as much. Unchanged parts are the same objects in both profiles, so comparing is cheap.
 */
import { type ChangedProfile, type CustomAttribute, type Profile, unread } from '@roster/profile';

export interface Difference {
  $set: Record<string, unknown>;
  $unset?: Record<string, ''>;
}

/** Compared member by member, or by position. */
const inParts: ReadonlySet<string> = new Set(['fields', 'lists', 'custom']);
const nothing: ReadonlySet<string> = new Set();

/** The names of members are ours: of the profile, its fields and its lists. Names of attributes are never among them. */
const compare = <Members extends object>(
  before: Members,
  after: Members,
  path: string,
  { $set, $unset }: Required<Difference>,
  except = nothing,
): void => {
  for (const name in after) {
    const value = after[name];
    if (value !== before[name] && value !== undefined && !except.has(name)) $set[path + name] = value;
  }
  for (const name in before) {
    if (before[name] !== undefined && after[name] === undefined) $unset[path + name] = '';
  }
};

/** By position: the stored list was read in the same transaction. */
const compareCustom = (
  before: readonly CustomAttribute[],
  after: readonly CustomAttribute[],
  $set: Difference['$set'],
): void => {
  if (before === after) return;
  if (after.length < before.length) {
    // An unread attribute must not be lost.
    if (after.includes(unread))
      throw new Error('a profile that was read in part must not be written as a whole');
    $set.custom = after;
    return;
  }
  for (let place = 0; place < after.length; place++) {
    if (after[place] !== before[place]) $set[`custom.${place}`] = after[place];
  }
};

export const difference = (before: Profile, after: Profile): Difference => {
  const found: Required<Difference> = { $set: {}, $unset: {} };
  compare(before, after, '', found, inParts);
  if (before.fields !== after.fields) compare(before.fields, after.fields, 'fields.', found);
  if (before.lists !== after.lists) compare(before.lists, after.lists, 'lists.', found);
  compareCustom(before.custom, after.custom, found.$set);
  for (const _ in found.$unset) return found;
  return { $set: found.$set };
};

/** For a bulk write, in the transaction that read the profile: a change in between is a conflict, so unwritten parts are as they were read. */
export const changeOf = ({ before, after }: ChangedProfile) => ({
  updateOne: { filter: { _id: before._id }, update: difference(before, after) },
});
