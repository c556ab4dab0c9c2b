/** The last activity of people: it decides between several people who share an email or phone. */
import type { Collection, Session } from './db.ts';
import type { EventDocument, PurchaseDocument } from './documents.ts';
import type { Totals } from './totals.ts';

interface Stores {
  events: Collection<EventDocument>;
  purchases: Collection<PurchaseDocument>;
  totals: Pick<Totals, 'lastOfEach'>;
}

interface Last {
  _id: string;
  time: Date;
}

/** One lookup in the index for each profile. */
const lastIn = <Row extends { _id: string }>(
  rows: Collection<Row>,
  session: Session,
  ids: readonly string[],
): Promise<Last[]> =>
  rows
    .aggregate<Last>(
      [
        { $match: { profile: { $in: [...ids] } } },
        { $sort: { profile: -1, time: -1 } },
        { $group: { _id: '$profile', time: { $first: '$time' } } },
      ],
      { session },
    )
    .toArray();

/** A command has a bound too. */
const mostAtOnce = 10_000;

const lastOf = async (
  { events, purchases, totals }: Stores,
  session: Session,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const last = new Map<string, number>();
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const some = ids.slice(from, from + mostAtOnce);
    const all = [
      ...(await lastIn(events, session, some)),
      ...(await lastIn(purchases, session, some)),
      ...(await totals.lastOfEach(some, session)),
    ];
    for (const { _id, time } of all) last.set(_id, Math.max(last.get(_id) ?? 0, time.getTime()));
  }
  return last;
};

/** The later of the last event and the last purchase, as a stamp. The activity of absorbed profiles counts too. */
export const readActivity = async (
  stores: Stores,
  session: Session,
  people: ReadonlySet<string>,
  absorbedBy: (id: string) => readonly string[],
): Promise<Map<string, number>> => {
  const parts = new Map([...people].map((id) => [id, [id, ...absorbedBy(id)]]));
  const last = await lastOf(stores, session, [...new Set([...parts.values()].flat())]);
  const of = (ids: readonly string[]): number =>
    ids.reduce((latest, id) => Math.max(latest, last.get(id) ?? 0), 0);
  return new Map([...parts].map(([id, ids]) => [id, 1000 * of(ids)]));
};
