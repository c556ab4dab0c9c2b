// T13: a worker that was paused past its locks wakes up and finishes what others have done meanwhile.
import { freeze } from '../harness/chaos.ts';
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import { jobsInFlight } from '../harness/queue-state.ts';
import { tellStory } from '../harness/story.ts';
import { sleep, until } from '../harness/wait.ts';

/** The lock of the mains that are used here. */
const lockMs = 2_000;

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 2, instead: { track } });
  const [zombie = ''] = system.workers;
  const chapters = tellStory(createDice(13), trial.quick ? 150 : 500, 50);
  // The zombie is paused in the middle of all this, when both workers have something to do.
  const sending = sendStory(system, chapters, { perSecond: 1_000, hands: 8 });
  await until(10_000, async () => (await jobsInFlight(system.redis)) > 1, 10);
  await sleep(150);
  const [book] = await Promise.all([sending, freeze(system, zombie, 3 * lockMs)]);
  const late = await unfinished(system, 30_000);
  await sleep(1_500); // what the zombie still does after the queue is empty
  const { comparison, broken } = await judgeStory(system, book.accepted);
  return { figures: { accepted: book.accepted.size, ...comparison }, broken: [...late, ...broken] };
};

export const zombie = faultOf(attempt, 'track-slow', 'track-slow-without-marks', {
  name: 'zombie',
  title: 'a worker is paused for three times its lock and wakes up: everything is applied once',
  without: 'marks switched off',
  breaks: /stored twice/,
});
