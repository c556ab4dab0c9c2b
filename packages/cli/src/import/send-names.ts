/** Further names, a few at a time: former external ids before the entries of their people, while the present one is still free, and aliases after them. */
import type { JsonObject } from '../json.ts';
import { mishapIn } from './answer.ts';
import type { Batch, NameItem, Refusal } from './batches.ts';
import type { Fault } from './row.ts';
import {
  idempotencyKeyOf,
  isJudged,
  nothingSent,
  type SendOptions,
  type Sent,
  stop,
  without,
} from './sent.ts';
import type { Sending } from './track-client.ts';

/** The most entries of these operations. */
const most = 50;

/** An entry, and the name it is sent for. */
interface Step {
  value: JsonObject;
  item: NameItem;
}

interface Kind {
  path: string;
  array: string;
  until: NonNullable<Sending['until']>;
}

const portions = <Some>(all: readonly Some[]): Some[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, n) => all.slice(n * most, (n + 1) * most));

/** As a line that can be corrected and imported. */
const refusalOf = ({ kind, value, line }: NameItem, fault: Fault): Refusal => ({
  line,
  ...fault,
  row: { type: kind === 'alias' ? 'alias' : 'user', ...value },
});

/** One request. Returns the refusals. */
const post = async (
  steps: readonly Step[],
  { path, array, until }: Kind,
  place: string,
  { client, run }: SendOptions,
): Promise<Map<NameItem, Fault>> => {
  const json = JSON.stringify({ [array]: steps.map(({ value }) => value) });
  const answer = await client.send({ path, json, idempotencyKey: idempotencyKeyOf(json, place, run), until });
  // An ignored entry has no effect either: the name is not there.
  const faults = steps.flatMap(({ item }, index): [NameItem, Fault][] => {
    const mishap = mishapIn(answer, array, index);
    return mishap ? [[item, { code: mishap.code, sentence: mishap.sentence }]] : [];
  });
  if (answer.status < 300 || faults.length === steps.length) return new Map(faults);
  if (!isJudged(answer)) throw stop(answer, steps.length);
  return new Map(steps.map(({ item }) => [item, { code: 'BODY_REFUSED', sentence: answer.message }]));
};

/** One request after the other: each may need the effect of the one before. */
const postAll = async (
  steps: readonly Step[],
  kind: Kind,
  place: string,
  options: SendOptions,
): Promise<{ requests: number; faults: Map<NameItem, Fault> }> => {
  const all = portions(steps);
  const faults = new Map<NameItem, Fault>();
  for (const [n, some] of all.entries())
    for (const [item, fault] of await post(some, kind, `${place}.${n}`, options))
      if (!faults.has(item)) faults.set(item, fault);
  return { requests: all.length, faults };
};

const sentOf = (items: readonly NameItem[], requests: number, faults: Map<NameItem, Fault>): Sent => ({
  ...nothingSent,
  requests,
  accepted: items.length - faults.size,
  lost: [...faults].map(([item, fault]) => refusalOf(item, fault)),
});

const idsOf = ({ value: { external_id = null, former_external_ids } }: NameItem): JsonObject[string][] => [
  ...[former_external_ids ?? []].flat(),
  external_id,
];

const renamesOf = (item: NameItem): Step[] => {
  const ids = idsOf(item);
  return ids.slice(1).map((next, n) => {
    return { value: { current_external_id: ids[n] ?? null, new_external_id: next }, item };
  });
};

/** Creates the person under the oldest id, and then adds the others one after the other. If the first step is refused, so is the second. */
export const sendFormerIds = async (batch: Batch, options: SendOptions): Promise<Sent> => {
  const items = batch.names.filter(({ kind }) => kind === 'former');
  if (items.length === 0) return nothingSent;
  if (!(await options.client.may('/users/external_ids/rename'))) return without(items, 'former_external_ids');
  const place = `${batch.start}.${batch.part}.former`;
  const people = items.map((item): Step => ({ value: { external_id: idsOf(item)[0] ?? null }, item }));
  const track: Kind = { path: '/users/track', array: 'attributes', until: 'kept' };
  const made = await postAll(people, track, place, options);
  const rename: Kind = { path: '/users/external_ids/rename', array: 'external_id_renames', until: 'result' };
  const named = await postAll(items.flatMap(renamesOf), rename, place, options);
  return sentOf(items, made.requests + named.requests, named.faults);
};

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

/** `lost`: lines with an entry that was refused or ignored. */
export const sendAliases = async (
  batch: Batch,
  lost: ReadonlySet<number>,
  options: SendOptions,
): Promise<Sent[]> => {
  const all = batch.names.filter(({ kind }) => kind === 'alias');
  if (all.length === 0) return [];
  if (!(await options.client.may('/users/alias/new'))) return [without(all, 'user_aliases')];
  const orphans = all.filter(({ line }) => lost.has(line));
  const some = all.filter(({ line }) => !lost.has(line));
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
