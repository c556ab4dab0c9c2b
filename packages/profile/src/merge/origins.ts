/**
 * Whose what came over in a merge was. A request from before the merge that comes late still finds what it is about: what was theirs
 * goes on as if it had come in time, and what the kept person had of their own stays as it is.
 */
import type { Change } from '../change.ts';
import type { CustomAttribute, FieldName, Profile, Stamped } from '../profile.ts';

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

/** Marks what `merged` has and `kept` had not. */
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

/** Whether a change is about something that was theirs. */
export const isAbout =
  ({ fields, custom }: Profile, id: string) =>
  (change: Change): boolean => {
    if (change.kind === 'field') return isFrom(fields[change.name], id);
    if (change.kind !== 'set' && change.kind !== 'step') return false;
    return isFrom(
      custom.find(({ k }) => k === change.name),
      id,
    );
  };

/** A value that is set is the person's own from then on; set late, by a request from before the merge, it is still whose it was. */
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
