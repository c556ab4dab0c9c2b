/** Former external ids, before the entries of their people. */
import type { JsonObject } from '../json.ts';
import type { Batch, NameItem } from './batches.ts';
import { without } from './lacks.ts';
import { type Kind, postAll, type Step, sentOf } from './post-names.ts';
import { nothingSent, type SendOptions, type Sent } from './sent.ts';

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
