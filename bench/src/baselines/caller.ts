// Sends events by the client, by its batch, or by bare fetch, and tells the CPU that it took: microseconds for one.
import { randomUUID } from 'node:crypto';
import { Roster } from '@roster/client';
import { answerParent } from '../child.ts';
import { inHands } from '../hands.ts';

export interface Calling {
  url: string;
  way: 'client' | 'batch' | 'fetch';
  /** Requests, or events of a batch. */
  count: number;
}

const hands = 16;
const time = '2026-01-31T12:00:00Z';

const eventOf = (n: number) => ({
  external_id: `person-${n % 10_000}`,
  name: 'viewed',
  time,
  properties: { page: 'home', n, colour: 'green', price: 4.5 },
});

const byFetch = async (url: string, n: number): Promise<void> => {
  const response = await fetch(`${url}/users/track`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer key',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ events: [eventOf(n)] }),
  });
  if (response.status !== 201) throw new Error(`answered ${response.status}`);
  await response.json();
};

const byBatch = async (roster: Roster, count: number): Promise<void> => {
  const batch = roster.batch({ maxWaiting: 3_000 });
  let accepted = 0;
  for (let n = 0; n < count; n++) {
    await batch.room();
    void batch.event(eventOf(n)).then(({ state }) => {
      if (state === 'accepted') accepted++;
    });
  }
  await batch.flush();
  await batch.close();
  if (accepted !== count) throw new Error(`${accepted} of ${count} were accepted`);
};

answerParent<Calling, number>(async ({ url, way, count }) => {
  const roster = new Roster({ url, key: 'key' });
  const before = process.cpuUsage();
  if (way === 'batch') await byBatch(roster, count);
  else if (way === 'fetch') await inHands(count, hands, (n) => byFetch(url, n));
  else await inHands(count, hands, (n) => roster.users.track({ events: [eventOf(n)] }));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
});
