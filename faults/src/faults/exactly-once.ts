// T02, T10, T11, T13: whatever dies, what was accepted takes effect once.
import { type Book, openBook } from '../harness/book.ts';
import { freeze, keepKilling, killAmid, outage } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { patienceOf } from '../harness/patience.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

const outages = async ({ quick }: Trial, system: System): Promise<void> => {
  await sleep(quick ? 1_500 : 4_000);
  await outage(system, 'redis', 'SIGKILL', 500);
  await sleep(quick ? 1_500 : 4_000);
  await freeze(system, 'mongod', quick ? 2_000 : 5_000);
  if (quick) return;
  await sleep(3_000);
  await outage(system, 'mongod', 'SIGTERM', 5_000);
};

interface Sent {
  book: Book<Chapter>;
  kills: number;
}

/** A worker is killed every second, whatever has become of the requests. */
const killBySeconds = async (trial: Trial, system: System): Promise<Sent> => {
  const chapters = tellStory(createDice(2), trial.quick ? 600 : 2_000);
  const stopKilling = keepKilling(system, system.workers, 1_000);
  const pace = { perSecond: trial.quick ? 80 : 100, hands: 32 };
  const [book] = await Promise.all([sendStory(system, chapters, pace), outages(trial, system)]);
  return { book, kills: await stopKilling() };
};

/** Requests for each end. */
const piece = 60;

const pace = { perSecond: 80, hands: 32 };

/** Long enough to be caught in it. */
const lingering = { LINGER_MS: '250' };

/** A worker has committed what it has in hand, and nobody knows but MongoDB. */
const isBetweenCommitAndEnd = async ({ redis, mongo }: System): Promise<boolean> => {
  const ids = (await requestsInFlight(redis)).map(({ id }) => id);
  const marks = mongo.collection<{ _id: string; state: string }>('requests');
  return (await marks.findOne({ _id: { $in: ids }, state: 'applied' })) !== null;
};

/**
 * The next die once half of the next requests are accepted: as many ends on any machine. Where all workers die at once, it is while one of
 * them has committed its work: what would be doubled is doubled then, not by luck.
 */
const killByCount = async (system: System): Promise<Sent> => {
  const { workers } = system;
  const [first = '', second = ''] = workers;
  const victims = [[first], ['redis'], workers, [second], ['mongod'], workers];
  const chapters = tellStory(createDice(2), piece * victims.length);
  const book = openBook<Chapter>();
  const kills = await killAmid(system, victims, {
    work: async (n) => void (await sendStory(system, chapters.slice(n * piece, (n + 1) * piece), pace, book)),
    isTime: async (n) =>
      book.accepted.size >= (n + 0.5) * piece &&
      (victims[n] !== workers || (await isBetweenCommitAndEnd(system))),
  });
  return { book, kills };
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 3, instead, ...(trial.counting && { env: lingering }) });
  const { book, kills } = await (trial.counting ? killByCount(system) : killBySeconds(trial, system));
  const late = await unfinished(system, patienceOf(trial, 60_000));
  const { comparison, balance, broken } = await judgeStory(system, book.accepted);
  const resent = book.unanswered + book.refused;
  return {
    figures: { accepted: balance.accepted, resent, kills, ...comparison },
    broken: [...late, ...broken],
  };
};

export const exactlyOnce = faultOf(
  attempt,
  { track: 'track-lingering' },
  { track: 'track-lingering-without-marks' },
  {
    name: 'exactly-once',
    title: 'workers, Redis and MongoDB die under load: everything accepted is applied once',
    without: 'marks switched off',
    breaks: /stored twice/,
    inGate: true,
  },
);
