/** Sends a batch as a request, and reads the result of each entry from the answer. */

import { type Answer, type Mishap, mishapIn } from './answer.ts';
import type { Item } from './batch-ends.ts';
import { type Batch, bodyOf, type Refusal } from './batches.ts';
import { saysWhatItIs } from './json-line.ts';
import { withKnownOnly } from './known-there.ts';
import { type ArrayName, arrays } from './row.ts';
import { sendAliases, sendFormerIds } from './send-names.ts';
import {
  idempotencyKeyOf,
  isJudged,
  nothingSent,
  type SendOptions,
  type Sent,
  stop,
  together,
} from './sent.ts';

export type { Sent } from './sent.ts';

const typeOf: Readonly<Record<ArrayName, string>> = {
  attributes: 'attributes',
  events: 'event',
  purchases: 'purchase',
};

/** As a line that can be corrected and imported: entries of a clear kind need no `type`. */
const refusalOf = ({ array, value, line }: Item, fault: Mishap): Refusal => {
  const isClear = array === 'attributes' && !saysWhatItIs(value.type);
  return { line, ...fault, row: isClear ? value : { type: typeOf[array], ...value } };
};

const sentOf = (answer: Answer, items: readonly Item[], places: Record<ArrayName, Item[]>): Sent => {
  const lost = arrays.flatMap((array) =>
    places[array].flatMap((item, index) => {
      const mishap = mishapIn(answer, array, index);
      return mishap ? [refusalOf(item, mishap)] : [];
    }),
  );
  const accepted = items.length - lost.length;
  return {
    ...nothingSent,
    requests: 1,
    accepted,
    lost,
    unknown: answer.outcome ? 0 : accepted,
    notes: [...(answer.outcome?.notes ?? [])],
  };
};

/**
 * The person of an alias or a contact is found when the entry is applied. So no later line of the
 * file may be applied before it.
 */
const dependsOnOthers = ({ value }: Item): boolean => value.external_id == null && value.service_id == null;

/**
 * A body that is refused as a whole for one of its entries (too deep, too large) is cut in halves until that entry
 * stands alone.
 */
const sendItems = async (items: Item[], place: string, options: SendOptions): Promise<Sent> => {
  const { client, run, isWaiting } = options;
  const { json, places } = bodyOf(items);
  const until = isWaiting || items.some(dependsOnOthers) ? 'applied' : 'kept';
  const idempotencyKey = idempotencyKeyOf(json, place, run);
  const answer = await client.send({ path: '/users/track', json, idempotencyKey, until });
  const sent = sentOf(answer, items, places);
  if (answer.status < 300 || (isJudged(answer) && sent.accepted === 0)) return sent;
  if (!isJudged(answer) || answer.message === 'Max Input Length Exceeded') throw stop(answer, items.length);
  const [only] = items;
  if (only && items.length === 1) {
    const code = answer.status === 413 ? 'BODY_TOO_LARGE' : 'BODY_REFUSED';
    const refusal = refusalOf(only, { code, sentence: answer.message });
    return { ...nothingSent, requests: 1, lost: [refusal] };
  }
  return sendHalves(items, place, options);
};

const sendHalves = async (items: Item[], place: string, options: SendOptions): Promise<Sent> => {
  const middle = Math.ceil(items.length / 2);
  const one = await sendItems(items.slice(0, middle), `${place}.0`, options);
  const other = await sendItems(items.slice(middle), `${place}.1`, options);
  return together([{ ...nothingSent, requests: 1 }, one, other]);
};

const sendEntries = async ({ items, start, part }: Batch, options: SendOptions): Promise<Sent> =>
  items.length === 0 ? nothingSent : sendItems(items, `${start}.${part}`, options);

/** Resolves when all of it was answered. */
export const sendBatch = async (whole: Batch, options: SendOptions): Promise<Sent> => {
  const { batch, leftOut } = await withKnownOnly(whole, options.client);
  const former = await sendFormerIds(batch, options);
  const entries = await sendEntries(batch, options);
  const lost = new Set(entries.lost.map(({ line }) => line));
  const aliases = await sendAliases(batch, lost, options);
  return together([{ ...nothingSent, leftOut }, former, entries, ...aliases]);
};
