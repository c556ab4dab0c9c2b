// Stored events of people who exist, written without the services.
import type { EventRow, Store, WithRequest } from '@roster/store';

type Row = WithRequest<EventRow>;

const [batch, betweenMs] = [5_000, 40];

/** The service ids of people. */
export const idsOf = async ({ profiles }: Store, externalIds: readonly string[]): Promise<string[]> => {
  const wanted = { external_id: { $in: [...externalIds] } };
  const found = await profiles.find(wanted, { projection: { _id: 1 } }).toArray();
  if (found.length !== externalIds.length) throw new Error('not all of these people exist');
  return found.map(({ _id }) => _id);
};

/** Of the last weeks, so many for each of these people, of twenty names. `also` gets each batch. */
export const addEvents = async (
  { events }: Store,
  profiles: readonly string[],
  each: number,
  also: (rows: readonly Row[]) => unknown = () => {},
): Promise<void> => {
  const [total, now] = [profiles.length * each, Date.now()];
  for (let from = 0; from < total; from += batch) {
    const rows = Array.from({ length: Math.min(batch, total - from) }, (_, index) => ({
      request: `bench-${now}-${from}`,
      index,
      ws: 'demo',
      profile: profiles[Math.floor((from + index) / each)] ?? '',
      at: now * 1000,
      time: new Date(now - (from + index) * betweenMs),
      name: `event ${index % 20}`,
      properties: '{"path":"/pricing"}',
    }));
    await events.insert(rows);
    await also(rows);
  }
};
