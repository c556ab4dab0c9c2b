// T08: a MongoDB of three members. Its primary is killed, frozen, told to step down, and dies while no member follows it.
import { type Book, openBook } from '../harness/book.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { sendDuring } from '../harness/load.ts';
import { type MongoSet, startMongoSet } from '../harness/mongo-set.ts';
import { requestsInFlight } from '../harness/queue-state.ts';
import { type Chapter, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';

/** Elections take two seconds here; the driver notices that a member is silent within five. */
const healMs = 10_000;

/** What happens to the primary; gives what brings the old one back. */
type Trouble = (set: MongoSet) => Promise<() => Promise<void>>;

const killed: Trouble = async (set) => {
  const primary = await set.primary();
  await primary.kill();
  return primary.start;
};

const frozen: Trouble = async (set) => {
  const primary = await set.primary();
  primary.signal('SIGSTOP');
  return async () => primary.signal('SIGCONT');
};

const steppedDown: Trouble = async (set) => {
  const primary = await set.primary();
  await primary.command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 2 });
  return async () => {};
};

/** No other member has its writes of the second before it is killed: the two that come back elect one of themselves. */
const deserted: Trouble = async (set) => {
  const primary = await set.primary();
  const followers = set.members.filter((member) => member !== primary);
  await Promise.all(followers.map((member) => member.kill()));
  await sleep(1_000);
  await primary.kill();
  await Promise.all(followers.map((member) => member.start()));
  return primary.start;
};

const all = { killed, frozen, 'stepped down': steppedDown, deserted } satisfies Record<string, Trouble>;

/** Whatever was accepted up to now is applied. */
const catchesUp = async ({ redis }: System): Promise<number | undefined> => {
  const waiting = (await requestsInFlight(redis)).map(({ id }) => id);
  return until(healMs, async () => {
    const left = new Set((await requestsInFlight(redis)).map(({ id }) => id));
    return waiting.every((id) => !left.has(id));
  });
};

const suffer = async (
  system: System,
  set: MongoSet,
  troubles: Record<string, Trouble>,
  say: Trial['say'],
): Promise<Findings> => {
  const found: Findings = { figures: {}, broken: [] };
  for (const [name, trouble] of Object.entries(troubles)) {
    await sleep(1_000);
    const back = await trouble(set);
    await sleep(500);
    const ms = await catchesUp(system);
    say(`${name}: ${ms === undefined ? 'not applied in time' : `applied after ${ms.toFixed(0)} ms`}`);
    found.figures[`${name}, ms`] = ms ?? -1;
    if (ms === undefined)
      found.broken.push(`not everything was applied ${healMs / 1_000} s after the primary was ${name}`);
    await back();
  }
  return found;
};

const attempt = async (trial: Trial, track: string, troubles: Record<string, Trouble>): Promise<Findings> => {
  const set = await startMongoSet([trial.folder(), trial.folder(), trial.folder()]);
  trial.atEnd(set.stop);
  const system = await trial.system({ mongo: { url: set.url }, workers: { track: 2 }, instead: { track } });
  const book: Book<Chapter> = openBook();
  const suffering = suffer(system, set, troubles, trial.say);
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

const repeated = (trial: Trial): Record<string, Trouble> =>
  trial.quick
    ? all
    : Object.fromEntries(
        [1, 2, 3].flatMap((n) => Object.entries(all).map(([name, trouble]) => [`${name} (${n})`, trouble])),
      );

export const mongoThree: Fault = {
  name: 'mongo-three',
  title: 'the primary of three is killed, frozen, stepped down, deserted: nothing lost, applied within 10 s',
  inPairs: true,
  timing: /^not everything was applied/,
  run: (trial) => attempt(trial, 'track-impatient', repeated(trial)),
  control: {
    without: 'the wait for a majority: a commit counts when one member has it',
    breaks: /of accepted requests are lost/,
    run: (trial) => attempt(trial, 'track-careless', { deserted }),
  },
};
