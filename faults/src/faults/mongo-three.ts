// T08: a MongoDB of three members. Its primary is killed, frozen, told to step down, and dies while no member follows it.
import { type Book, openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { sendDuring } from '../harness/load.ts';
import { type MongoSet, startMongoSet } from '../harness/mongo-set.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { frozen, inRounds, killed, suffer, type Trouble, watchWaiting } from './troubles.ts';

/** Elections take two seconds here; the driver notices that a member is silent within five. */
const healMs = 10_000;

const steppedDown: Trouble<MongoSet> = async (set) => {
  const primary = await set.primary();
  await primary.command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 2 });
  return async () => {};
};

/** No other member has its writes of the second before it is killed: the two that come back elect one of themselves. */
const deserted: Trouble<MongoSet> = async (set) => {
  const primary = await set.primary();
  const followers = set.members.filter((member) => member !== primary);
  await Promise.all(followers.map((member) => member.kill()));
  await sleep(1_000);
  await primary.kill();
  await Promise.all(followers.map((member) => member.start()));
  return primary.start;
};

const all = { killed, frozen, 'stepped down': steppedDown, deserted } satisfies Record<
  string,
  Trouble<MongoSet>
>;

/** Whatever was accepted up to now is applied. */
const catchesUp = async (system: System): Promise<number | undefined> => {
  await sleep(500);
  const areApplied = watchWaiting(system);
  await areApplied();
  return until(healMs, areApplied);
};

const attempt = async (
  trial: Trial,
  track: string,
  troubles: Record<string, Trouble<MongoSet>>,
): Promise<Findings> => {
  const set = await startMongoSet([trial.folder(), trial.folder(), trial.folder()]);
  trial.atEnd(set.stop);
  const system = await trial.system({ mongo: { url: set.url }, workers: { track: 2 }, instead: { track } });
  const book: Book<Chapter> = openBook();
  const suffering = suffer(
    {
      site: set,
      say: trial.say,
      heals: () => catchesUp(system),
      late: (name) => `not everything was applied ${healMs / 1_000} s after the primary was ${name}`,
    },
    troubles,
  );
  const story = tellStory(createDice(45), 20_000);
  const unknown = await sendDuring(system, book, story, { perSecond: 60, hands: 16 }, suffering);
  const { figures, broken } = await suffering;
  const late = await unfinished(system, 60_000);
  const effects = await judgeStory(system, book.accepted);
  if (unknown.length > 0)
    broken.push(`${unknown.length} requests were refused although only MongoDB was in trouble`);
  return {
    figures: { accepted: book.accepted.size, ...figures, ...effects.comparison },
    broken: [...broken, ...late, ...effects.broken],
  };
};

export const mongoThree: Fault = {
  name: 'mongo-three',
  title: 'the primary of three is killed, frozen, stepped down, deserted: nothing lost, applied within 10 s',
  inPairs: true,
  timing: /^not everything was applied/,
  run: (trial) => attempt(trial, 'track-impatient', inRounds(trial, all)),
  control: {
    without: 'the wait for a majority: a commit counts when one member has it',
    breaks: /of accepted requests are lost/,
    run: (trial) => attempt(trial, 'track-careless', { deserted }),
  },
};
