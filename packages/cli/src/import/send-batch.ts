/** A batch becomes a request, and its answer the fate of each entry. */
import { createHash } from 'node:crypto';
import { failed } from '../result.ts';
import { type Batch, bodyOf, type Item, type Refusal } from './batches.ts';
import { isLineType } from './json-line.ts';
import type { ArrayName, Fault } from './row.ts';
import type { Answer, TrackClient } from './track-client.ts';

export interface Sent {
  requests: number;
  accepted: number;
  /** Of the entries; rows that could not be read are the batch's own. */
  refusals: Refusal[];
}

const typeOf: Readonly<Record<ArrayName, string>> = {
  attributes: 'attributes',
  events: 'event',
  purchases: 'purchase',
};

/** As a line that can be corrected and imported: entries that show what they are need no `type`. */
const refusalOf = ({ array, value, line }: Item, fault: Fault): Refusal => {
  const isClear = array === 'attributes' && !isLineType(value.type);
  return { line, ...fault, row: isClear ? value : { type: typeOf[array], ...value } };
};

const sorted = (refusals: Refusal[]): Refusal[] => refusals.sort((one, other) => one.line - other.line);

const refusalsIn = ({ errors }: Answer, places: Record<ArrayName, Item[]>): Refusal[] =>
  sorted(
    errors.flatMap(({ input_array, index, code, type }) => {
      const item = Object.entries(places).find(([array]) => array === input_array)?.[1][index];
      return item ? [refusalOf(item, { code, sentence: type })] : [];
    }),
  );

/** What no other batch would fare better with. */
const remedies: Readonly<Record<number, string>> = {
  401: 'The key is not known there: set ROSTER_API_KEY, or check the address.',
  403: 'The key needs the permission users.track, and must be allowed from this address.',
  404: 'There is no /users/track: is this the address of a Roster?',
};

const isJudged = ({ status }: Answer): boolean => status === 400 || status === 413;

const stop = ({ status, message }: Answer, size: number): Error => {
  if (message === 'Max Input Length Exceeded')
    return failed(
      `the workspace takes fewer than ${size} entries in a request. Use a smaller --batch-size with --restart; 50 is what every workspace takes.`,
    );
  return failed(`the server answered ${status} ${message}. ${remedies[status] ?? ''}`.trim());
};

/** Names the bytes and their place in the file: the same batch has the same key, and no other has. */
export const idempotencyKeyOf = (json: string, place: string, run = ''): string =>
  `import-${createHash('sha256').update(`${run}\n${place}\n${json}`).digest('hex')}`;

export interface SendOptions {
  client: TrackClient;
  run?: string;
}

/**
 * Whom an alias or an address means is found out when the entry is applied, by whoever has it then. So nothing that comes later in the
 * file may be applied before it.
 */
const dependsOnOthers = ({ value }: Item): boolean => value.external_id == null && value.service_id == null;

/**
 * A body that is refused as a whole for what one entry holds (too deep, too large) is cut in halves until that one
 * stands alone.
 */
const sendItems = async (items: Item[], place: string, options: SendOptions): Promise<Sent> => {
  const { json, places } = bodyOf(items);
  const answer = await options.client.track(
    json,
    idempotencyKeyOf(json, place, options.run),
    items.some(dependsOnOthers),
  );
  const refusals = refusalsIn(answer, places);
  const sent = { requests: 1, accepted: items.length - refusals.length, refusals };
  if (answer.status < 300 || (isJudged(answer) && sent.accepted === 0)) return sent;
  if (!isJudged(answer) || answer.message === 'Max Input Length Exceeded') throw stop(answer, items.length);
  const [only] = items;
  if (only && items.length === 1) {
    const code = answer.status === 413 ? 'BODY_TOO_LARGE' : 'BODY_REFUSED';
    return { requests: 1, accepted: 0, refusals: [refusalOf(only, { code, sentence: answer.message })] };
  }
  return sendHalves(items, place, options);
};

const sendHalves = async (items: Item[], place: string, options: SendOptions): Promise<Sent> => {
  const middle = Math.ceil(items.length / 2);
  const one = await sendItems(items.slice(0, middle), `${place}.0`, options);
  const other = await sendItems(items.slice(middle), `${place}.1`, options);
  return {
    requests: 1 + one.requests + other.requests,
    accepted: one.accepted + other.accepted,
    refusals: sorted([...one.refusals, ...other.refusals]),
  };
};

export const sendBatch = async ({ items, start, part }: Batch, options: SendOptions): Promise<Sent> =>
  items.length === 0
    ? { requests: 0, accepted: 0, refusals: [] }
    : sendItems(items, `${start}.${part}`, options);
