/** What was said about emails and phones. */
import type { Address, Said } from '@roster/profile';
import type { Collection, Session } from './db.ts';
import type { AddressDocument } from './documents.ts';

/** By identity key; where nothing was said, an empty list says so. */
export const readAddresses = async (
  addresses: Collection<AddressDocument>,
  session: Session,
  keys: ReadonlySet<string>,
): Promise<Map<string, readonly Said[]>> => {
  const said = new Map<string, readonly Said[]>([...keys].map((key) => [key, []]));
  if (keys.size === 0) return said;
  const found = await addresses
    .find({ _id: { $in: [...keys] } }, { session, batchSize: keys.size + 1 })
    .toArray();
  for (const { _id, consents } of found) said.set(_id, consents);
  return said;
};

/**
 * Changes the document whatever it holds: whoever leaves an address and whoever says something of it must collide, and MongoDB does not
 * write what is there already. One about which nothing was said is removed by a TTL index.
 */
const write = ({ key, ws, consents }: Address) => {
  const said = { $set: { ws, consents: [...consents] }, $inc: { writes: 1 } };
  const update =
    consents.length > 0
      ? { ...said, $unset: { silent: '' as const } }
      : { ...said, $currentDate: { silent: true as const } };
  return { updateOne: { filter: { _id: key }, update, upsert: true } };
};

/** In the transaction in which they were read. */
export const writeAddresses = async (
  addresses: Collection<AddressDocument>,
  session: Session,
  all: readonly Address[],
): Promise<void> => {
  if (all.length > 0) await addresses.bulkWrite(all.map(write), { session });
};
