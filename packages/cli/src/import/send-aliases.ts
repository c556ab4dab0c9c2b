/** Further names: aliases, after the entries of their people. */
import type { JsonObject } from '../json.ts';
import type { Batch, NameItem } from './batches.ts';
import { without } from './lacks.ts';
import { type Kind, postAll, type Step, sentOf } from './post-names.ts';
import type { Fault } from './row.ts';
import type { SendOptions, Sent } from './sent.ts';

/** The alias that identifies a person without an external id. */
const aliasOfWhom = ({ value: { external_id, user_alias } }: NameItem): JsonObject[string] | undefined =>
  external_id == null ? (user_alias ?? undefined) : undefined;

const aliasStep = (item: NameItem): Step => {
  const { user_alias: _, ...value } = item.value;
  return { value, item };
};

/** The alias was just made, as a person without other data: an alias of another person was refused. */
const mergeStep = (item: NameItem): Step => {
  const { alias_name = null, alias_label = null } = item.value;
  const value = {
    identifier_to_merge: { user_alias: { alias_name, alias_label } },
    identifier_to_keep: { user_alias: aliasOfWhom(item) ?? null },
  };
  return { value, item };
};

const addAliases = async (items: readonly NameItem[], place: string, options: SendOptions): Promise<Sent> => {
  const alias: Kind = { path: '/users/alias/new', array: 'user_aliases', until: 'result' };
  const made = await postAll(items.map(aliasStep), alias, place, options);
  const apart = items.filter((item) => aliasOfWhom(item) !== undefined && !made.faults.has(item));
  const merge: Kind = { path: '/users/merge', array: 'merge_updates', until: 'applied' };
  const merged = await postAll(apart.map(mergeStep), merge, place, options);
  return sentOf(items, made.requests + merged.requests, new Map([...made.faults, ...merged.faults]));
};

const personRefused: Fault = {
  code: 'PERSON_REFUSED',
  sentence: 'an entry of the person was refused or ignored, so the alias was not sent',
};

/** `refused`: lines with a refused entry. */
export const sendAliases = async (
  batch: Batch,
  refused: ReadonlySet<number>,
  options: SendOptions,
): Promise<Sent[]> => {
  const all = batch.names.filter(({ kind }) => kind === 'alias');
  if (all.length === 0) return [];
  if (!(await options.client.may('/users/alias/new'))) return [without(all, 'user_aliases')];
  const orphans = all.filter(({ line }) => refused.has(line));
  const some = all.filter(({ line }) => !refused.has(line));
  const further = some.filter((item) => aliasOfWhom(item) !== undefined);
  const mayMerge = further.length === 0 || (await options.client.may('/users/merge'));
  const sent = mayMerge ? some : some.filter((item) => aliasOfWhom(item) === undefined);
  const added = await addAliases(sent, `${batch.start}.${batch.part}.alias`, options);
  return [
    sentOf(orphans, 0, new Map(orphans.map((item) => [item, personRefused]))),
    added,
    ...(mayMerge ? [] : [without(further, 'further user_aliases')]),
  ];
};
