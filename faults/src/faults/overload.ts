// T12: more than can be kept is refused in time. A Redis that is full can't even hand out its jobs.
import type { Redis } from 'ioredis';
import { redisFigure } from '../costly/observe.ts';
import { type Answer, type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { quantile } from '../harness/delays.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countByToken } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { compareCounts } from '../harness/tally.ts';
import { keepDoing, sleep } from '../harness/wait.ts';
import { inUsualMs } from '../yardstick/usual-ms.ts';

const maxShare = 0.75;
const refusalMs = 100;

const bodyOf = (n: number) => ({
  events: Array.from({ length: 50 }, (_, i) => ({
    external_id: `crowd-${(n * 50 + i) % 1_000}`,
    name: `crowded-${n}-${i}`,
    time: '2025-06-01T12:00:00Z',
    properties: { filler: 'x'.repeat(200) },
  })),
});

interface Sent {
  n: number;
  answer: Answer;
}

/** All callers send as fast as answers come, and go on for a while after the first refusal. */
const crowd = async (client: Client, goOnMs: number): Promise<Sent[]> => {
  const answers: Sent[] = [];
  let n = 0;
  let end = performance.now() + 60_000;
  const refused = async () => {
    end = Math.min(end, performance.now() + goOnMs);
    // Ten times the load, not a thousand: a caller that is refused does not come back at once.
    await sleep(20);
  };
  const sender = async () => {
    while (performance.now() < end) {
      const own = n++;
      const answer = await client.call({ body: bodyOf(own) });
      answers.push({ n: own, answer });
      if (!isAccepted(answer)) await refused();
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  return answers;
};

const watchShare = (redis: Redis) => {
  let most = 0;
  const look = async (): Promise<void> => {
    const used = await redisFigure(redis, 'memory', /^used_memory:(\d+)/m);
    most = Math.max(most, used / (await redisFigure(redis, 'memory', /^maxmemory:(\d+)/m)));
  };
  const stop = keepDoing(() => look().catch(() => {}), 50);
  return async () => {
    await stop();
    return most;
  };
};

const judgeRefusals = (refusals: Answer[]): string[] => {
  const broken: string[] = [];
  const rude = refusals.filter(({ status, headers }) => status !== 503 || !headers['retry-after']).length;
  const slow = quantile(
    refusals.map(({ ms }) => inUsualMs(ms)),
    0.99,
  );
  if (refusals.length === 0) broken.push('nothing was refused');
  if (rude > 0) broken.push(`${rude} of ${refusals.length} refusals were not 503 with Retry-After`);
  if (slow > refusalMs) broken.push(`99 of 100 refusals came within ${slow.toFixed(0)} ms, not ${refusalMs}`);
  return broken;
};

const overwhelm = async (trial: Trial, env: Record<string, string>) => {
  const system = await trial.system({ redis: { maxmemory: trial.quick ? '64mb' : '128mb' }, env });
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  const stopWatching = watchShare(system.redis);
  const answers = await crowd(system.client, trial.quick ? 2_000 : 15_000);
  const share = await stopWatching();
  /** The commands that Redis itself had to refuse. */
  const oom = await redisFigure(system.redis, 'errorstats', /errorstat_OOM:count=(\d+)/);
  return { system, answers, share, oom };
};

const drain = async (trial: Trial, system: System): Promise<boolean> => {
  for (const worker of system.workers) await system.part(worker).start();
  return system.quiet(trial.quick ? 15_000 : 90_000);
};

/** Every event of an accepted request is stored once, and none of a refused one. */
const effectsOff = async ({ mongo }: System, sent: Sent[]): Promise<string[]> => {
  const names = ({ n }: Sent) => bodyOf(n).events.map(({ name }) => [name, 1] as const);
  const wanted = new Map(sent.filter(({ answer }) => isAccepted(answer)).flatMap(names));
  const refused = new Map(sent.filter(({ answer }) => answer.status === 503).flatMap(names));
  const stored = await countByToken(mongo, 'events');
  const { lost, doubled } = compareCounts(wanted, stored);
  // A 503 may mean "unknown", which is not what an overload says.
  const strays = [...refused.keys()].filter((name) => stored.has(name)).length;
  return [
    ...(lost > 0 ? [`${lost} events of accepted requests are lost`] : []),
    ...(doubled > 0 ? [`${doubled} events are stored twice`] : []),
    ...(strays > 0 ? [`${strays} events of refused requests are stored`] : []),
  ];
};

const attempt = async (trial: Trial, env: Record<string, string> = {}): Promise<Findings> => {
  const { system, answers, share, oom } = await overwhelm(trial, env);
  const all = answers.map(({ answer }) => answer);
  const accepted = all.filter(isAccepted).map(requestIdOf);
  const refusals = all.filter((answer) => !isAccepted(answer));
  const broken = judgeRefusals(refusals);
  if (share > maxShare) broken.push(`Redis was ${(share * 100).toFixed(0)} % full`);
  if (oom > 0) broken.push(`Redis itself refused ${oom} commands for lack of memory`);
  if (!(await drain(trial, system))) broken.push('the backlog was not worked off');
  broken.push(...imbalance(await reconcile({ accepted, ...system })), ...(await effectsOff(system, answers)));
  const slowest = Math.max(0, ...refusals.map(({ ms }) => ms));
  const figures = { accepted: accepted.length, refused: refusals.length, 'slowest refusal ms': slowest };
  return { figures: { ...figures, 'most of maxmemory %': share * 100 }, broken };
};

export const overload = faultOf(attempt, [undefined, { SHED_MEMORY_SHARE: '0.95' }], {
  name: 'overload',
  title: 'workers stopped, everybody sends: refused in time, nothing accepted is lost, drains by itself',
  alone: true,
  timing: /refusals came within/,
  without: 'shedding only when Redis is 95 % full',
  breaks: /^Redis (was \d+ % full|itself refused)/,
});
