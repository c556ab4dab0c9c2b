// T12: more than can be kept is refused in time. A Redis that is full can't even hand out its jobs.
import type { Redis } from 'ioredis';
import { type Answer, type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

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

/** Everybody sends as fast as answers come, and goes on for a while after the first refusal. */
const crowd = async (client: Client, goOnMs: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  let end = performance.now() + 60_000;
  const refused = async () => {
    end = Math.min(end, performance.now() + goOnMs);
    // Ten times the load, not a thousand: a caller that is refused does not come back at once.
    await sleep(20);
  };
  const sender = async () => {
    while (performance.now() < end) {
      const answer = await client.call({ body: bodyOf(answers.length) });
      answers.push(answer);
      if (!isAccepted(answer)) await refused();
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  return answers;
};

const numberIn = (info: string, name: string): number =>
  Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);

const watchShare = (redis: Redis) => {
  let most = 0;
  const look = async () => {
    const info = await redis.info('memory');
    most = Math.max(most, numberIn(info, 'used_memory') / numberIn(info, 'maxmemory'));
  };
  const timer = setInterval(() => void look().catch(() => {}), 50);
  return () => {
    clearInterval(timer);
    return most;
  };
};

/** The commands that Redis itself had to refuse. */
const refusedByRedis = async (redis: Redis): Promise<number> =>
  Number(/errorstat_OOM:count=(\d+)/.exec(await redis.info('errorstats'))?.[1] ?? 0);

const quantile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const judgeRefusals = (refusals: Answer[]): string[] => {
  const broken: string[] = [];
  const rude = refusals.filter(({ status, headers }) => status !== 503 || !headers['retry-after']).length;
  const slow = quantile(
    refusals.map(({ ms }) => ms),
    0.99,
  );
  if (refusals.length === 0) broken.push('nothing was refused');
  if (rude > 0) broken.push(`${rude} of ${refusals.length} refusals were not 503 with Retry-After`);
  if (slow > refusalMs) broken.push(`99 of 100 refusals came within ${slow.toFixed(0)} ms, not ${refusalMs}`);
  return broken;
};

const overwhelm = async (trial: Trial, env: Record<string, string>) => {
  const system = await trial.system({ maxmemory: trial.quick ? '64mb' : '128mb', env });
  for (const worker of system.workers) await system.part(worker).end('SIGTERM');
  const stopWatching = watchShare(system.redis);
  const answers = await crowd(system.client, trial.quick ? 2_000 : 15_000);
  return { system, answers, share: stopWatching(), oom: await refusedByRedis(system.redis) };
};

const drain = async (trial: Trial, system: System): Promise<boolean> => {
  for (const worker of system.workers) await system.part(worker).start();
  return system.quiet(trial.quick ? 15_000 : 90_000);
};

const attempt = async (trial: Trial, env: Record<string, string> = {}): Promise<Findings> => {
  const { system, answers, share, oom } = await overwhelm(trial, env);
  const accepted = answers.filter(isAccepted).map(requestIdOf);
  const refusals = answers.filter((answer) => !isAccepted(answer));
  const broken = judgeRefusals(refusals);
  if (share > maxShare) broken.push(`Redis was ${(share * 100).toFixed(0)} % full`);
  if (oom > 0) broken.push(`Redis itself refused ${oom} commands for lack of memory`);
  if (!(await drain(trial, system))) broken.push('the backlog was not worked off');
  broken.push(...imbalance(await reconcile({ accepted, ...system })));
  const slowest = Math.max(0, ...refusals.map(({ ms }) => ms));
  const figures = { accepted: accepted.length, refused: refusals.length, 'slowest refusal ms': slowest };
  return { figures: { ...figures, 'most of maxmemory %': share * 100 }, broken };
};

export const overload: Fault = {
  name: 'overload',
  title: 'workers stopped, everybody sends: refused in time, nothing accepted is lost, drains by itself',
  alone: true,
  run: (trial) => attempt(trial),
  control: {
    without: 'shedding only when Redis is 95 % full',
    run: (trial) => attempt(trial, { SHED_MEMORY_SHARE: '0.95' }),
  },
};
