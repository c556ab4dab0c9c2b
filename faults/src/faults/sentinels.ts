// A Redis of three members with three Sentinels: its primary is killed, frozen, cut off, demoted, handed over, and dies while nobody follows it; and all of it is away.
import { openSentinels, type Sentinels } from '@roster/testkit';
import { type Book, openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { ensureValkey } from '../harness/valkey.ts';
import { sleep, until } from '../harness/wait.ts';
import { frozen, inRounds, killed, suffer, type Trouble, watchWaiting } from './troubles.ts';

const healMs = 15_000;
const awayMs = 20_000;

/** It goes on by itself, and takes itself for the primary until it is reached again. */
const cutOff: Trouble<Sentinels> = async (site) => {
  const primary = await site.primary();
  primary.line.lose();
  return primary.line.find;
};

const demoted: Trouble<Sentinels> = async (site) => {
  await site.stepDown();
  return () => {};
};

/** Connections to the old primary stay open: it refuses what they write. */
const handedOver: Trouble<Sentinels> = async (site) => {
  await site.handOver();
  return () => {};
};

/** Nobody has its writes of the second before it is killed: the two that come back choose one of themselves. */
const deserted: Trouble<Sentinels> = async (site) => {
  const primary = await site.primary();
  const followers = site.members.filter((member) => member !== primary);
  await Promise.all(followers.map((follower) => follower.kill()));
  await sleep(1_000);
  await primary.kill();
  await Promise.all(followers.map((follower) => follower.start()));
  return primary.start;
};

/** Likewise, and no worker has applied them either. */
const desertedAtRest =
  (system: System): Trouble<Sentinels> =>
  async (site) => {
    const workers = system.processesOf('track').map((name) => system.part(name).pid);
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const back = await deserted(site);
    for (const pid of workers) process.kill(pid, 'SIGCONT');
    return back;
  };

const silentAbout = async (system: System): Promise<string[]> =>
  [...(await system.readiness())]
    .filter(([, verdict]) => !verdict.includes('Redis is away'))
    .map(([name, verdict]) => `with Redis and all Sentinels away, ${name} says: ${verdict}`);

/** All at once, for twenty seconds: every process says so. */
const allAway =
  (system: System, broken: string[]): Trouble<Sentinels> =>
  async ({ members, sentinels }) => {
    const all = [...members, ...sentinels];
    await Promise.all(all.map((one) => one.kill()));
    await sleep(awayMs / 2);
    broken.push(...(await silentAbout(system)));
    await sleep(awayMs / 2);
    await Promise.all(all.map((one) => one.start()));
    return () => {};
  };

/** Every process is ready, requests are accepted, and what was accepted before is applied. */
const heals = async (system: System, accepted: ReadonlyMap<Chapter, string>): Promise<number | undefined> => {
  const before = accepted.size;
  const isReady = async () =>
    [...(await system.readiness()).values()].every((verdict) => verdict === 'ready');
  const areApplied = watchWaiting(system);
  return until(healMs, async () => accepted.size > before && (await isReady()) && areApplied());
};

const troublesOf = (system: System, broken: string[]): Record<string, Trouble<Sentinels>> => ({
  killed,
  frozen,
  'cut off': cutOff,
  demoted,
  'handed over': handedOver,
  deserted,
  'deserted at rest': desertedAtRest(system),
  'away, and all Sentinels': allAway(system, broken),
});

interface Setting {
  replicas: '0' | '1';
  program?(): Promise<string>;
}

const attempt = async (trial: Trial, { replicas, program }: Setting): Promise<Findings> => {
  const binary = await program?.();
  const site = await openSentinels({ dir: trial.folder(), ...(binary && { program: binary }) });
  trial.atEnd(site.close);
  const env = { REDIS_WAIT_REPLICAS: replicas };
  const system = await trial.system({ redis: { url: site.url }, env, workers: { track: 2 } });
  const dishonest: string[] = [];
  const troubles =
    replicas === '0'
      ? { 'deserted at rest': desertedAtRest(system) }
      : inRounds(trial, troublesOf(system, dishonest));
  const book: Book<Chapter> = openBook();
  const suffering = suffer(
    {
      site,
      say: trial.say,
      heals: () => heals(system, book.accepted),
      late: async (name) =>
        `not healed ${healMs / 1_000} s after Redis was ${name}: ${[...(await system.readiness())].join(' ')}`,
      whole: site.whole,
    },
    troubles,
  );
  const story = tellStory(createDice(59), 20_000);
  const unknown = await sendDuring(system, book, story, { perSecond: 40, hands: 8 }, suffering);
  await sendAgain(system, book, unknown);
  const { figures, broken } = await suffering;
  const late = await unfinished(system, 60_000);
  const effects = await judgeStory(system, book.accepted);
  return {
    figures: {
      accepted: book.accepted.size,
      'sent again': unknown.length,
      ...figures,
      ...effects.comparison,
    },
    broken: [...broken, ...dishonest, ...late, ...effects.broken],
  };
};

const title =
  'the primary is killed, frozen, cut off, demoted, handed over, deserted, and all of it away for 20 s: nothing lost, healed within 15 s';
const common = {
  without: 'the wait for a replica: what is on one disk is accepted',
  breaks: /of accepted requests are lost/,
  inPairs: true,
  timing: /^not healed/,
  limitMinutes: 30,
} as const;

export const sentinels = faultOf(attempt, [{ replicas: '1' }, { replicas: '0' }] as const, {
  name: 'sentinels',
  title: `Redis with Sentinels: ${title}`,
  ...common,
});

const valkey = { program: ensureValkey };

export const sentinelsValkey = faultOf(
  attempt,
  [
    { replicas: '1', ...valkey },
    { replicas: '0', ...valkey },
  ] as const,
  { name: 'sentinels-valkey', title: `Valkey with Sentinels: ${title}`, ...common },
);
