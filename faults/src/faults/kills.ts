// T02, T08, T10, T11, T13: a story is told while processes are killed, paused or stopped. Everything accepted is applied once.
import { openBook } from '../harness/book.ts';
import { freeze, keepKilling, killAmid, outage } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Fault, type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { type Pace, sendStory } from '../harness/load.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System, SystemOptions } from '../harness/system.ts';
import { patienceOf, sleep, until } from '../harness/wait.ts';

interface Scene {
  trial: Trial;
  system: System;
  telling: Promise<unknown>;
}

/** What happens meanwhile; gives how many were killed. */
type Trouble = (scene: Scene) => Promise<number>;

/** One process after the other, without warning, as long as the story lasts. */
const killed =
  (service: string, everyMs: number): Trouble =>
  ({ system, telling }) =>
    keepKilling(system, system.processesOf(service), everyMs, telling);

const paused =
  (name: string, ms: number, isTime: (system: System) => Promise<unknown>): Trouble =>
  async ({ system }) => {
    await isTime(system);
    await freeze(system, name, ms);
    return 0;
  };

/** So much waits that all workers have something in hand. */
const allAtWork = ({ redis }: System): Promise<unknown> =>
  until(10_000, async () => (await requestsInFlight(redis)).length >= 40, 10);

/** MongoDB is stopped for longer than an operation looks for it. */
const mongoAway: Trouble = async ({ trial: { quick }, system }) => {
  await outage(system, 'mongod', 'SIGTERM', quick ? 9_000 : 30_000);
  return 1;
};

const serversAway: Trouble = async ({ trial: { quick }, system }) => {
  await sleep(quick ? 1_500 : 4_000);
  await outage(system, 'redis', 'SIGKILL', 500);
  await sleep(quick ? 1_500 : 4_000);
  await freeze(system, 'mongod', quick ? 2_000 : 5_000);
  if (quick) return 1;
  await sleep(3_000);
  await outage(system, 'mongod', 'SIGTERM', 5_000);
  return 2;
};

/** Requests for each end. */
const piece = 60;

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
const tellByCount = async (system: System, { seed, pace }: Row) => {
  const { workers } = system;
  const [first = '', second = ''] = workers;
  const victims = [[first], ['redis'], workers, [second], ['mongod'], workers];
  const chapters = tellStory(createDice(seed), piece * victims.length);
  const book = openBook<Chapter>();
  const kills = await killAmid(system, victims, {
    work: async (n) => void (await sendStory(system, chapters.slice(n * piece, (n + 1) * piece), pace, book)),
    isTime: async (n) =>
      book.accepted.size >= (n + 0.5) * piece &&
      (victims[n] !== workers || (await isBetweenCommitAndEnd(system))),
  });
  return { book, kills };
};

interface Row extends Pick<Fault, 'name' | 'title' | 'inGate'> {
  trackWorkers?: number;
  /** The variant of track. */
  track?: string;
  troubles: Trouble[];
  seed: number;
  requests: { quick: number; full: number };
  people?: number;
  pace: Pace;
  /** Each request is accepted the first time that it is sent. */
  refusesNobody?: true;
  /** After so long the queues are empty. */
  restMs: number;
  /** Somebody may do something even then, for so long. */
  afterMs?: number;
  control: { without: string; breaks: RegExp } & Pick<SystemOptions, 'preload'> & Pick<Row, 'track'>;
}

const withMarksOff = { without: 'marks switched off', breaks: /stored twice/ };

const rows: Row[] = [
  {
    name: 'exactly-once',
    title: 'workers, Redis and MongoDB die under load: everything accepted is applied once',
    inGate: true,
    trackWorkers: 3,
    track: 'track-lingering',
    troubles: [killed('track', 1_000), serversAway],
    seed: 2,
    requests: { quick: 600, full: 2_000 },
    pace: { perSecond: 80, hands: 32 },
    restMs: 60_000,
    control: { ...withMarksOff, track: 'track-lingering-without-marks' },
  },
  // What waits for MongoDB is at work for long, and is killed then most often.
  {
    name: 'kill-storm',
    title: 'workers are killed every second, MongoDB stands still meanwhile: nobody is convicted of it',
    track: 'track-long-at-work',
    troubles: [killed('track', 700), paused('mongod', 4_000, () => sleep(5_000))],
    seed: 23,
    requests: { quick: 1_200, full: 6_000 },
    pace: { perSecond: 60, hands: 32 },
    restMs: 60_000,
    control: {
      without: 'the weight of evidence: whatever was at work is convicted',
      breaks: /innocent requests became dead letters/,
      track: 'track-suspicious',
    },
  },
  // The locks of its variant live for two seconds. The worker wakes up and finishes what others have done meanwhile.
  {
    name: 'zombie',
    title: 'a worker is paused for three times its lock and wakes up: everything is applied once',
    track: 'track-slow',
    troubles: [paused('track', 6_000, allAtWork)],
    seed: 13,
    requests: { quick: 150, full: 500 },
    people: 50,
    pace: { perSecond: 1_000, hands: 8 },
    restMs: 30_000,
    afterMs: 1_500,
    control: { ...withMarksOff, track: 'track-slow-without-marks' },
  },
  {
    name: 'ingress-killed',
    title:
      'the ingress is killed again and again, callers ask again with their keys: everything is applied once',
    trackWorkers: 1,
    troubles: [killed('ingress', 1_000)],
    seed: 42,
    requests: { quick: 800, full: 4_000 },
    pace: { perSecond: 200, hands: 32 },
    restMs: 60_000,
    control: { without: 'keys: the ingress ignores them', breaks: /stored twice/, preload: 'without-keys' },
  },
  {
    name: 'mongod-killed',
    title:
      'mongod is killed again and again under load: everything accepted is applied once, nobody is refused',
    track: 'track-impatient',
    troubles: [killed('mongod', 1_500)],
    seed: 41,
    requests: { quick: 700, full: 4_000 },
    pace: { perSecond: 40, hands: 16 },
    refusesNobody: true,
    restMs: 60_000,
    control: {
      without: 'the wait for the journal: a commit counts when it is in memory',
      breaks: /of accepted requests are lost/,
      track: 'track-careless',
    },
  },
  {
    name: 'mongo-away',
    title: 'MongoDB is stopped: requests are accepted all the same, and applied when it is back',
    trackWorkers: 1,
    track: 'track-impatient',
    troubles: [mongoAway],
    seed: 8,
    requests: { quick: 500, full: 1_600 },
    people: 1,
    pace: { perSecond: 50, hands: 16 },
    refusesNobody: true,
    restMs: 25_000,
    control: {
      without: 'another try: every error is taken for a permanent one',
      breaks: /innocent requests became dead letters/,
      track: 'track-resigned',
    },
  },
];

const tell = async (trial: Trial, system: System, row: Row) => {
  if (trial.counting) return tellByCount(system, row);
  const count = trial.quick ? row.requests.quick : row.requests.full;
  const telling = sendStory(system, tellStory(createDice(row.seed), count, row.people), row.pace);
  const [book, ...kills] = await Promise.all([
    telling,
    ...row.troubles.map((trouble) => trouble({ trial, system, telling })),
  ]);
  return { book, kills: kills.reduce((sum, some) => sum + some, 0) };
};

/** Long enough to be caught in it. */
const lingering = { LINGER_MS: '250' };

const attemptOf =
  (row: Row) =>
  async (trial: Trial, { track, preload }: Pick<Row['control'], 'track' | 'preload'>): Promise<Findings> => {
    const system = await trial.system({
      workers: { track: row.trackWorkers ?? 2 },
      ...(track && { instead: { track } }),
      ...(preload && { preload }),
      ...(trial.counting && { env: lingering }),
    });
    const { book, kills } = await tell(trial, system, row);
    const late = await unfinished(system, patienceOf(trial, row.restMs));
    await sleep(row.afterMs ?? 0);
    const { comparison, balance, broken } = await judgeStory(system, book.accepted);
    const { again } = book;
    if (row.refusesNobody && again > 0) broken.push(`${again} requests were refused or not answered`);
    const figures = { accepted: balance.accepted, 'sent again': again, kills, ...comparison };
    return { figures, broken: [...late, ...broken] };
  };

export const kills: Fault[] = rows.map((row) => {
  const { name, title, inGate, track, control } = row;
  const { without, breaks, ...spoiled } = control;
  const words = { name, title, without, breaks, ...(inGate && { inGate }) };
  const usual = track ? { track } : {};
  return faultOf(attemptOf(row), [usual, { ...usual, ...spoiled }], words);
});
