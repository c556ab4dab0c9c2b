/** The last event or purchase of people. */
import type { Session } from './db.ts';
import type { Events, Purchases } from './occurrences/occurrences.ts';
import type { Totals } from './totals.ts';

export interface Stores {
  events: Pick<Events, 'lastOfEach'>;
  purchases: Pick<Purchases, 'lastOfEach'>;
  totals: Pick<Totals, 'lastOfEach'>;
}

/** A command has a bound too. */
const mostAtOnce = 10_000;

export const lastOf = async (
  { events, purchases, totals }: Stores,
  session: Session,
  ids: readonly string[],
  until?: Date,
): Promise<Map<string, number>> => {
  const last = new Map<string, number>();
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const some = ids.slice(from, from + mostAtOnce);
    const all = [
      ...(await events.lastOfEach(some, { session }, until)),
      ...(await purchases.lastOfEach(some, { session }, until)),
      ...(await totals.lastOfEach(some, session))
        .filter(({ time }) => !until || time < until)
        .map(({ _id, time }) => [_id, time] as const),
    ];
    for (const [id, time] of all) last.set(id, Math.max(last.get(id) ?? 0, time.getTime()));
  }
  return last;
};
