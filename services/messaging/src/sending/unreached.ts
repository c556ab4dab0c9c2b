/** Listed names that have no recipient of their own: with their rows the counts add up to what was asked. */
import type { Recipients } from '@roster/contract';
import { externalKey } from '@roster/profile';
import {
  type DeliveryDocument,
  erasedName,
  expiryOf,
  listedIn,
  type SendDocument,
  type Store,
} from '@roster/store';
import { mostCardDays } from '../schedules/check.ts';
import type { Unreached } from './judge.ts';
import { createListed, isListed } from './listed.ts';
import { judgedRow, newRow } from './rows.ts';

interface Asked {
  delivery: DeliveryDocument;
  recipients: Recipients;
}

const sumOf = (counts: DeliveryDocument['counts']): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Each person's service ids, also those of people who were merged into them. */
const createReadPeople =
  ({ profiles }: Pick<Store, 'profiles'>) =>
  async (ws: string, ids: readonly string[]): Promise<string[][]> => {
    if (ids.length === 0) return [];
    const some = { $in: [...ids] };
    const found = await profiles
      .find({ $or: [{ _id: some }, { ws, absorbed: some }] }, { projection: { absorbed: 1 } })
      .toArray();
    return found.map(({ _id, absorbed = [] }) => [_id, ...absorbed]);
  };

export const createUnreached = (store: Store) => {
  const listed = createListed(store);
  const readPeople = createReadPeople(store);

  const reachedAmong = async ({ _id: delivery }: DeliveryDocument, ids: readonly string[]) => {
    const _ids = ids.map((id) => `${delivery}/${id}`);
    const found = await store.messages.sends
      .find({ _id: { $in: _ids } }, { projection: { profile: 1 } })
      .toArray();
    return found.map(({ profile }) => profile);
  };

  /** The reason of each name that has no row of its own. */
  const reasonsOf = async ({ delivery, recipients }: Asked, fresh: readonly SendDocument[]) => {
    const { ws, halted } = delivery;
    const names = await listed(delivery, recipients);
    const people = await readPeople(ws, [...names.values()].flat());
    const reached = new Set([
      ...fresh.map(({ profile }) => profile),
      ...(await reachedAmong(delivery, people.flat())),
    ]);
    const named = new Set<string[]>();
    const isNarrowed = recipients.segment_id !== undefined || recipients.audience !== undefined;

    const reasonOf = (key: string): Unreached | undefined => {
      if (key === externalKey(ws, erasedName)) return 'deleted';
      const theirs = people.filter((ids) => names.get(key)?.some((id) => ids.includes(id)));
      const person = theirs.find((ids) => ids.some((id) => reached.has(id)));
      if (!person)
        return theirs.length === 0 ? 'unknown' : (halted ?? (isNarrowed ? 'not_in_audience' : 'unknown'));
      if (named.has(person)) return 'duplicate';
      named.add(person);
      return undefined;
    };
    return listedIn(ws, recipients).map((key) => ({ key, reason: reasonOf(key) }));
  };

  /** Rows of these names, to be written in the transaction that ends the reading of the audience. Few deliveries have any: the counts tell. */
  return async (asked: Asked, fresh: readonly SendDocument[], now: Date) => {
    const { delivery, recipients } = asked;
    const { ws, counts } = delivery;
    const missing = isListed(recipients) ? listedIn(ws, recipients).length - sumOf(counts) - fresh.length : 0;
    if (missing <= 0) return { fresh: [] };
    const expires = expiryOf(now, Math.max(mostCardDays, await store.outcomeDaysOf(ws)));
    const reasons = await reasonsOf(asked, fresh);
    const rows = reasons.flatMap(({ key, reason }, place): SendDocument[] =>
      reason === undefined
        ? []
        : [
            {
              ...judgedRow(newRow(delivery, '', { now, expires }), { skipped: reason }, now),
              _id: `${delivery._id}/~${String(place).padStart(3, '0')}`,
              ...(reason !== 'deleted' && { named: key }),
            },
          ],
    );
    return { fresh: rows.slice(0, missing), recipients: delivery.recipients };
  };
};
