// Redis fails over by a machine that vanishes: no connection is closed, and its name leads to the replica that took its place.
import { services } from '@roster/local-stack';
import { createCaller } from '../harness/caller.ts';
import { isAccepted } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { judgeProbes, type Probe, probeFor } from '../harness/probe.ts';
import { jobsInFlight } from '../harness/queue-state.ts';
import { openRedisPair, type RedisPair } from '../harness/redis-pair.ts';
import { ext, happening } from '../harness/sayings.ts';
import type { System } from '../harness/system.ts';
import { sleep, until, within } from '../harness/wait.ts';

const healMs = 10_000;
/** How long it takes until the replica is promoted, and the name leads to it. */
const promotedAfterMs = 3_500;
/** A job that the old primary had just handed to a worker comes back when its lock has run out. */
const locksMs = 15_000;
const perSecond = 30;

/** Those that are not honest about it. */
const silentAbout = (found: Map<string, string>): string[] =>
  [...found]
    .filter(([, verdict]) => !verdict.includes('Redis is away'))
    .map(([name, verdict]) => `3 s after Redis vanished, ${name} says: ${verdict}`);

const vanishAndPromote = async (pair: RedisPair, system: System): Promise<string[]> => {
  const began = performance.now();
  pair.vanish();
  await sleep(1_900);
  const broken = silentAbout(await system.readiness());
  await sleep(Math.max(0, promotedAfterMs - (performance.now() - began)));
  await pair.promote();
  return broken;
};

const firstAccepted = (probes: readonly Probe[], since: number): number | undefined => {
  const ends = probes
    .filter(({ answer, sentAt }) => sentAt > since && isAccepted(answer))
    .map(({ answer, sentAt }) => sentAt + answer.ms - since);
  return ends.length > 0 ? Math.min(...ends) : undefined;
};

/** One request for each kind of worker, each until its effect can be read. */
const useEverything = async ({ client }: System): Promise<string[]> => {
  const caller = createCaller(client, 'after');
  const answers = await Promise.all([
    caller.post('/users/track', happening(ext('after'), 'after')),
    caller.post('/users/alias/new', {
      user_aliases: [{ external_id: 'after', alias_label: 'web', alias_name: 'after' }],
    }),
    caller.post('/subscription/status/set', {
      subscription_group_id: 'demo-news',
      subscription_state: 'subscribed',
      external_id: ['after'],
    }),
  ]);
  await Promise.all(answers.map(caller.applied));
  return caller.accepted;
};

const late = (what: string, ms: number | undefined, limit: number): string[] =>
  ms !== undefined && ms <= limit
    ? []
    : [`${what} not within ${limit / 1_000} s (${ms?.toFixed(0) ?? 'never'})`];

interface Setting {
  services: string[];
  instead: Record<string, string>;
  watchMs: number;
}

const attempt = async (trial: Trial, { services, instead, watchMs }: Setting): Promise<Findings> => {
  const pair = await trial.opened(openRedisPair(trial.folder()));
  const env = { REDIS_WAIT_REPLICAS: '1' };
  const system = await trial.system({ services, instead, redis: { url: pair.url }, env });
  const load = probeFor(system.client, 1_500 + watchMs, perSecond, 'event');
  await sleep(1_500);
  const vanished = performance.now();
  const broken = await vanishAndPromote(pair, system);
  const isReady = async () =>
    [...(await system.readiness()).values()].every((verdict) => verdict === 'ready');
  const ready = await until(watchMs - promotedAfterMs, isReady);
  const probes = await load;
  const healed = firstAccepted(probes, vanished);
  broken.push(...late('2xx again', healed, healMs));
  broken.push(...late('every process ready again', ready, healMs - promotedAfterMs));
  const figures = { requests: probes.length, 'healed after ms': healed ?? -1 };
  if (healed === undefined) return { figures, broken };

  const began = performance.now();
  const more = await within(60_000, 'the work after it', useEverything(system));
  const worked = performance.now() - began;
  const emptied = await until(30_000, async () => (await jobsInFlight(pair.redis)) === 0, 100);
  broken.push(
    ...late('all workers at work again', worked, locksMs),
    ...late('the queues empty', emptied, locksMs),
  );
  broken.push(...(await judgeProbes({ mongo: system.mongo, redis: pair.redis }, probes, more)));
  const accepted = probes.filter(({ answer }) => isAccepted(answer)).length;
  return {
    figures: { ...figures, accepted, 'ready after ms': ready ?? -1, 'worked after ms': worked },
    broken,
  };
};

export const silentFailover: Fault = {
  name: 'silent-failover',
  title: 'the machine of Redis vanishes without a word, its replica takes over: healed within 10 s',
  inPairs: true,
  timing: / not within \d+ s /,
  run: (trial) => attempt(trial, { services: [...services], instead: {}, watchMs: healMs }),
  control: {
    without: 'no limit for the silence of Redis',
    breaks: /^2xx again/,
    run: (trial) =>
      attempt(trial, {
        services: ['ingress', 'track'],
        instead: { ingress: 'ingress-without-heartbeat', track: 'track-without-heartbeat' },
        watchMs: trial.quick ? healMs : 30_000,
      }),
  },
};
