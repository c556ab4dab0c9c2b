// T02, T10, T11, T13: whatever dies, what was accepted takes effect once.
import { freeze, keepKilling, outage } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { tellStory } from '../harness/story.ts';
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

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 3, instead });
  const chapters = tellStory(createDice(2), trial.quick ? 600 : 2_000);
  const stopKilling = keepKilling(system, system.workers, 1_000);
  const pace = { perSecond: trial.quick ? 80 : 100, hands: 32 };
  const [book] = await Promise.all([sendStory(system, chapters, pace), outages(trial, system)]);
  const kills = await stopKilling();
  const late = await unfinished(system, 60_000);
  const { comparison, balance, broken } = await judgeStory(system, book.accepted);
  const resent = book.unanswered + book.refused;
  return {
    figures: { accepted: balance.accepted, resent, 'workers killed': kills, ...comparison },
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
  },
);
