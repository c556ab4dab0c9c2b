/** The last activity of people: it decides between several people who share an email or phone. */
import { type Needs, personAtKey, type Stamp, startOf } from '@roster/profile';
import type { Session } from './db.ts';
import { lastOf, type Stores } from './last-activity.ts';

type AbsorbedBy = (id: string) => readonly string[];

/** The later of the last event and the last purchase, as a stamp. The activity of absorbed profiles counts too. With a stamp: before its millisecond. */
const readUntil = async (
  stores: Stores,
  session: Session,
  people: ReadonlySet<string>,
  absorbedBy: AbsorbedBy,
  at?: Stamp,
): Promise<Map<string, number>> => {
  const parts = new Map([...people].map((id) => [id, [id, ...absorbedBy(id)]]));
  const until = at === undefined ? undefined : new Date(startOf(at) / 1000);
  const last = await lastOf(stores, session, [...new Set([...parts.values()].flat())], until);
  const of = (ids: readonly string[]): number =>
    ids.reduce((latest, id) => Math.max(latest, last.get(id) ?? 0), 0);
  return new Map([...parts].map(([id, ids]) => [id, 1000 * of(ids)]));
};

/** The activity that the plan of a batch needs. Each stamp takes queries of its own. */
export const readActivity = async (
  stores: Stores,
  session: Session,
  { activity, earlierActivity }: Pick<Needs, 'activity' | 'earlierActivity'>,
  absorbedBy: AbsorbedBy,
): Promise<{ activity: Map<string, Stamp>; earlierActivity: Map<string, Stamp> }> => {
  const byStamp = new Map<Stamp, Set<string>>();
  for (const { id, at } of earlierActivity.values()) byStamp.set(at, (byStamp.get(at) ?? new Set()).add(id));
  const earlier = new Map<string, Stamp>();
  for (const [at, people] of byStamp)
    for (const [id, last] of await readUntil(stores, session, people, absorbedBy, at))
      earlier.set(personAtKey({ id, at }), last);
  return { activity: await readUntil(stores, session, activity, absorbedBy), earlierActivity: earlier };
};
