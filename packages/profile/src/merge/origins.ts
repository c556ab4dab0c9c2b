/**
 * The origin of values that came over in a merge. A late request from before the merge still finds the values it is about: values of the
 * absorbed profile change as if the request had come in time, and the kept person's own values stay as they are.
 */

import type { CustomAttribute, FieldName, Profile, Stamped } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';

type Marked = Pick<Stamped, 'from'>;

const withOrigin = <Some extends Marked>(one: Some, id: string): Some => ({
  ...one,
  from: [...(one.from ?? []), id],
});

const isMissing = (own: Stamped | undefined): boolean => own === undefined || own.v === null;

const fieldsFrom = (id: string, kept: Profile['fields'], merged: Profile['fields']): Profile['fields'] => {
  const fields = { ...merged };
  for (const name of Object.keys(merged) as FieldName[]) {
    const [own, field] = [kept[name], merged[name]];
    if (field && field !== own && isMissing(own)) fields[name] = withOrigin(field, id);
  }
  return fields;
};

/** Marks the values that `merged` has and `kept` had not. */
export const markOrigins = (id: string, kept: Profile, merged: Profile): Profile => {
  const own = new Set(kept.custom);
  const mark = (one: CustomAttribute): CustomAttribute => (own.has(one) ? one : withOrigin(one, id));
  return {
    ...merged,
    fields: fieldsFrom(id, kept.fields, merged.fields),
    custom: merged.custom.map(mark),
  };
};

const isFrom = (one: Marked | undefined, id: string): boolean => one?.from?.includes(id) === true;

/** Whether a change is about a value that came from the absorbed profile. */
export const isAbout =
  ({ fields, custom }: Profile, id: string) =>
  (change: ProfileChange): boolean => {
    if (change.kind === 'field') return isFrom(fields[change.name], id);
    if (change.kind !== 'set' && change.kind !== 'step') return false;
    const own = custom.find(({ k }) => k === change.name);
    return isFrom(own, id);
  };

/** A value that is set becomes the person's own. Set late, by a request from before the merge, it keeps its origin. */
export const keepOrigins = (before: Profile, after: Profile): Profile => {
  if (before === after) return after;
  const from = new Map(before.custom.map((one) => [one.k, one.from]));
  const fields = { ...after.fields };
  for (const name of Object.keys(fields) as FieldName[]) {
    const [old, field] = [before.fields[name], fields[name]];
    if (field && old?.from && !field.from) fields[name] = { ...field, from: old.from };
  }
  const custom = after.custom.map((one) => {
    const old = from.get(one.k);
    return old && !one.from ? { ...one, from: old } : one;
  });
  return { ...after, fields, custom };
};
