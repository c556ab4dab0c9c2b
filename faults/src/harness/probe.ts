// Single requests with one event of a name of its own: for asking "was it taken?" and "did it arrive?".
import type { Redis } from 'ioredis';
import { type Answer, type Client, isAccepted, requestIdOf } from './client.ts';
import type { Db } from './mongo.ts';
import { createPace } from './pace.ts';
import { imbalance, reconcile } from './reconcile.ts';
import { rowsOf } from './rows.ts';

export interface Probe {
  name: string;
  answer: Answer;
  sentAt: number;
}

export const probe = async (client: Client, name: string, timeoutMs = 5_000): Promise<Probe> => {
  const sentAt = performance.now();
  const event = { external_id: 'prober', name, time: '2025-06-01T12:00:00Z' };
  return { name, sentAt, answer: await client.call({ body: { events: [event] }, timeoutMs }) };
};

/** Probes at a steady rate for a while, without waiting for one before the next. */
export const probeFor = async (
  client: Client,
  ms: number,
  perSecond: number,
  prefix: string,
): Promise<Probe[]> => {
  const pace = createPace(perSecond);
  const end = performance.now() + ms;
  const sent: Promise<Probe>[] = [];
  while (performance.now() < end) {
    await pace();
    sent.push(probe(client, `${prefix}-${sent.length}`));
  }
  return Promise.all(sent);
};

/** How often each of these was stored. */
export const storedTimes = async ({ mongo }: { mongo: Db }, probes: readonly Probe[]): Promise<number[]> => {
  const found = await rowsOf(mongo, 'events', { name: { $in: probes.map(({ name }) => name) } });
  return probes.map(({ name }) => found.filter((event) => event.name === name).length);
};

/** What was accepted is stored once, and what was refused at most once: a 503 means unknown. `more` was accepted, too. */
export const judgeProbes = async (
  stored: { mongo: Db; redis: Redis },
  probes: readonly Probe[],
  more: readonly string[] = [],
): Promise<string[]> => {
  const times = await storedTimes(stored, probes);
  const lost = probes.filter(({ answer }, i) => isAccepted(answer) && times[i] === 0).length;
  const doubled = times.filter((count) => count > 1).length;
  const ids = probes.flatMap(({ answer }) => (isAccepted(answer) ? [requestIdOf(answer)] : []));
  return [
    ...imbalance(await reconcile({ accepted: [...ids, ...more], ...stored })),
    ...(lost > 0 ? [`${lost} accepted events are not stored`] : []),
    ...(doubled > 0 ? [`${doubled} events are stored more than once`] : []),
  ];
};

export const slowest = (probes: Probe[]): number => Math.max(0, ...probes.map(({ answer }) => answer.ms));
