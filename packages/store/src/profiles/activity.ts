/** The last activity of people: it decides between several people who share an email or phone. */
import type { Stamp } from '@roster/profile';
import type { Session } from '../connection/db.ts';
import type { Store } from '../connection/open-store.ts';

type ActivityStores = Pick<Store, 'events' | 'purchases' | 'totals'>;

/** A command has a bound too. */
const mostAtOnce = 10_000;

const lastOf = async (
  { events, purchases, totals }: ActivityStores,
  session: Session,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const last = new Map<string, number>();
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const some = ids.slice(from, from + mostAtOnce);
    const all = [
      ...(await events.lastOfEach(some, { session })),
      ...(await purchases.lastOfEach(some, { session })),
      ...(await totals.lastOfEach(some, session)).map(({ _id, time }) => [_id, time] as const),
    ];
    for (const [id, time] of all) last.set(id, Math.max(last.get(id) ?? 0, time.getTime()));
  }
  return last;
};

/** The later of the last event and the last purchase, as a stamp. The activity of absorbed profiles counts too. */
export const readActivity = async (
  stores: ActivityStores,
  session: Session,
  people: ReadonlySet<string>,
  absorbedBy: (id: string) => readonly string[],
): Promise<Map<string, Stamp>> => {
  const parts = new Map([...people].map((id) => [id, [id, ...absorbedBy(id)]]));
  const last = await lastOf(stores, session, [...new Set([...parts.values()].flat())]);
  const of = (ids: readonly string[]): number =>
    ids.reduce((latest, id) => Math.max(latest, last.get(id) ?? 0), 0);
  return new Map([...parts].map(([id, ids]) => [id, 1000 * of(ids)]));
};
