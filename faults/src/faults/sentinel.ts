// Sentinels name another primary of Redis: after it froze, was killed, or was killed while no replica had its last second.
import { type Book, openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendAgain, sendDuring } from '../harness/load.ts';
import { frozen, killed, repeated } from '../harness/primary-troubles.ts';
import { openRedisSentinels, type RedisSentinels } from '../harness/redis-sentinels.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';

/** The sentinels wait for two of them, and choose in about as many. */
const healMs = 15_000;

/** Gives what brings the old primary back. */
type Trouble = (redis: RedisSentinels, system: System) => Promise<() => Promise<void>>;

/** No replica has its writes of the second before it is killed: one of them comes back and takes its place. */
const deserted: Trouble = async (redis) => {
  const primary = await redis.primary();
  const replicas = await redis.replicas();
  await Promise.all(replicas.map((replica) => replica.kill()));
  await sleep(1_000);
  await primary.kill();
  await Promise.all(replicas.map((replica) => replica.start()));
  return primary.start;
};

/** Nor have the workers applied them. */
const forgotten: Trouble = async (redis, system) => {
  const pids = system.workers.map((name) => system.part(name).pid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const back = await deserted(redis, system);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  return back;
};

interface Suffering {
  redis: RedisSentinels;
  system: System;
  book: Book<Chapter>;
  say: Trial['say'];
}

const suffer = async (
  { redis, system, book, say }: Suffering,
  troubles: Record<string, Trouble>,
): Promise<Findings> => {
  const found: Findings = { figures: {}, broken: [] };
  for (const [name, trouble] of Object.entries(troubles)) {
    await sleep(1_000);
    const back = await trouble(redis, system);
    await sleep(500);
    const before = book.accepted.size;
    const ms = await until(healMs, async () => book.accepted.size > before + 10);
    say(`${name}: ${ms === undefined ? 'not healed in time' : `healed after ${ms.toFixed(0)} ms`}`);
    found.figures[`${name}, ms`] = ms ?? -1;
    if (ms === undefined)
      found.broken.push(`nothing was accepted ${healMs / 1_000} s after the primary was ${name}`);
    await back();
    await redis.whole();
  }
  return found;
};

interface How {
  replicas: string;
  troubles: Record<string, Trouble>;
}

const attempt = async (trial: Trial, how: How): Promise<Findings> => {
  const redis = await openRedisSentinels();
  trial.atEnd(redis.close);
  const env = { REDIS_WAIT_REPLICAS: how.replicas };
  const servers = { redisUrl: redis.url, redisAllRights: redis.allRights };
  const system = await trial.system({ ...servers, trackWorkers: 2, env });
  const book: Book<Chapter> = openBook();
  const suffering = suffer({ redis, system, book, say: trial.say }, repeated(trial, how.troubles));
  const pace = { perSecond: 60, hands: 16 };
  const unknown = await sendDuring(system, book, tellStory(createDice(46), 20_000), pace, suffering);
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
    broken: [...broken, ...late, ...effects.broken],
  };
};

export const sentinel = faultOf(
  attempt,
  { replicas: '1', troubles: { frozen, killed, deserted } },
  { replicas: '0', troubles: { forgotten } },
  {
    name: 'sentinel',
    inPairs: true,
    timing: /^nothing was accepted/,
    title:
      'sentinels change the primary of Redis, which froze or was killed: nothing lost, healed within 15 s',
    without: 'the wait for a replica before a request is answered',
    breaks: /of accepted requests are lost/,
  },
);
