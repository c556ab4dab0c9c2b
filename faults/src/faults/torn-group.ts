// T07: the line to Redis breaks at any byte: a request is queued whole or not at all.
import { randomInt } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { isAccepted, requestIdOf } from '../harness/client.ts';
import { unfinished } from '../harness/effects.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { openProxy } from '../harness/proxy.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countByToken } from '../harness/rows.ts';
import { eachOf, sleep, within } from '../harness/wait.ts';

const size = 50;
const eventsOf = (name: string) =>
  Array.from({ length: size }, (_, i) => ({
    external_id: `person-${i}`,
    name,
    time: '2025-06-01T12:00:00Z',
    properties: { i },
  }));

/** Entries found for each name, of those that are there at all. */
const countByName = (names: unknown[]): Map<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

const tornOf = (counts: Map<unknown, number>): number =>
  [...counts.values()].filter((count) => count % size !== 0).length;

const run = async (trial: Trial): Promise<Findings> => {
  const tries = trial.quick ? 60 : 200;
  const system = await trial.system({ instead: { ingress: 'ingress-on-a-bad-line' } });
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  const accepted = new Map<string, string>();
  const names = Array.from({ length: tries }, (_, i) => `try-${i}`);
  await eachOf(names, 4, async (name) => {
    const answer = await system.client.call({ body: { events: eventsOf(name) } });
    if (isAccepted(answer)) accepted.set(name, requestIdOf(answer));
    else await sleep(100);
  });
  const queued = await requestsInFlight(system.redis);
  const counts = countByName(
    queued.flatMap(({ body }) => (body?.events ?? []) as { name: string }[]).map(({ name }) => name),
  );
  for (const worker of system.workers) await system.part(worker).start();
  const late = await unfinished(system, 30_000);

  const broken = [...late, ...imbalance(await reconcile({ accepted: accepted.values(), ...system }))];
  const torn = tornOf(counts);
  const stored = await countByToken(system.mongo, 'events');
  const unlike = [...stored.values()].filter((count) => count !== size).length;
  const missing = [...accepted.keys()].filter((name) => !stored.has(name)).length;
  if (torn > 0) broken.push(`${torn} requests are queued in part`);
  if (accepted.size === tries) broken.push('the line was never cut');
  if (unlike > 0) broken.push(`${unlike} requests are stored with more or fewer events than ${size}`);
  if (missing > 0) broken.push(`${missing} accepted requests have left no event`);
  return {
    figures: {
      tries,
      accepted: accepted.size,
      'refused or unknown': tries - accepted.size,
      queued: counts.size,
      torn,
      stored: stored.size,
    },
    broken,
  };
};

/** What a request of fifty jobs would do, added in one pipeline. */
const pipelined = async (trial: Trial): Promise<Findings> => {
  const tries = trial.quick ? 30 : 100;
  const system = await trial.system({ services: ['ingress'] });
  const target = { host: '127.0.0.1', port: Number(system.redis.options.port) };
  const proxy = await trial.opened(openProxy(target, () => randomInt(2_000, 40_000)));
  for (let i = 0; i < tries; i++) {
    const connection = new Redis(proxy.port, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    connection.on('error', () => {});
    const queue = new Queue('pipelined', { connection, prefix: '{control}' });
    queue.on('error', () => {});
    const jobs = eventsOf(`try-${i}`).map((data) => ({ name: 'event', data }));
    await within(2_000, 'a pipeline', queue.addBulk(jobs)).catch(() => {});
    connection.disconnect();
  }
  const ids = await system.redis.lrange('{control}:pipelined:wait', 0, -1);
  const data = await Promise.all(ids.map((id) => system.redis.hget(`{control}:pipelined:${id}`, 'data')));
  const torn = tornOf(countByName(data.map((text) => JSON.parse(text ?? '{}').name)));
  return {
    figures: { tries, cuts: proxy.cuts(), torn },
    broken: torn > 0 ? [`${torn} of ${tries} requests are queued in part`] : [],
  };
};

export const tornGroup: Fault = {
  name: 'torn-group',
  title: 'the connection to Redis is cut at random bytes: requests are queued whole or not at all',
  run,
  control: {
    without: 'one job for a request: each entry is one, added in bulk',
    breaks: /are queued in part/,
    run: pipelined,
  },
};
