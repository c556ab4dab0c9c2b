// T02, T10, T11, T13: whatever dies, what was accepted takes effect once.
import { openBook, sendUntilAccepted } from '../harness/book.ts';
import { freeze, keepKilling, outage } from '../harness/chaos.ts';
import { compare, differences } from '../harness/compare.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { createPace } from '../harness/pace.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { tallyOf } from '../harness/stored.ts';
import { type Chapter, expected, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';

const send = async (system: System, chapters: Chapter[], perSecond: number) => {
  const book = openBook<Chapter>();
  const pace = createPace(perSecond);
  await eachOf(chapters, 32, async (chapter) => {
    await pace();
    await sendUntilAccepted(system.client, book, chapter);
  });
  return book;
};

const outages = async ({ quick }: Trial, system: System): Promise<void> => {
  await sleep(quick ? 1_500 : 4_000);
  await outage(system, 'redis', 'SIGKILL', 500);
  await sleep(quick ? 1_500 : 4_000);
  await freeze(system, 'mongod', quick ? 2_000 : 5_000);
  if (quick) return;
  await sleep(3_000);
  await outage(system, 'mongod', 'SIGTERM', 5_000);
};

const epitaph = async ({ redis }: System): Promise<string> => {
  const dead = await deadLetters(redis);
  return `${dead.length} innocent requests became dead letters, the first for ${dead[0]?.code}: ${dead[0]?.reason}`;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 3, instead });
  const chapters = tellStory(createDice(2), trial.quick ? 600 : 2_000);
  const stopKilling = keepKilling(system, system.workers, 1_000);
  const [book] = await Promise.all([send(system, chapters, trial.quick ? 80 : 100), outages(trial, system)]);
  const kills = await stopKilling();
  const ended = await system.quiet(60_000);
  const comparison = compare(expected(book.accepted.keys()), await tallyOf(system.mongo));
  const balance = await reconcile({ accepted: book.accepted.values(), ...system });
  const broken = [...differences(comparison), ...imbalance(balance)];
  if (!ended) broken.push(`${balance.inFlight} requests were still on their way after a minute`);
  if (balance.dead > 0) broken.push(await epitaph(system));
  const resent = book.unanswered + book.refused;
  return { figures: { accepted: balance.accepted, resent, 'workers killed': kills, ...comparison }, broken };
};

export const exactlyOnce: Fault = {
  name: 'exactly-once',
  title: 'workers, Redis and MongoDB die under load: everything accepted is applied once',
  run: (trial) => attempt(trial, { track: 'track-lingering' }),
  control: {
    without: 'marks switched off',
    run: (trial) => attempt(trial, { track: 'track-lingering-without-marks' }),
  },
};
