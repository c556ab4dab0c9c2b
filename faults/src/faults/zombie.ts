// T13: a worker that was paused past its locks wakes up and finishes what others have done meanwhile.
import { openBook, sendUntilAccepted } from '../harness/book.ts';
import { freeze } from '../harness/chaos.ts';
import { compare, differences } from '../harness/compare.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { tallyOf } from '../harness/stored.ts';
import { type Chapter, expected, tellStory } from '../harness/story.ts';
import { eachOf, sleep } from '../harness/wait.ts';

/** The lock of the mains that are used here. */
const lockMs = 2_000;

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 2, instead: { track } });
  const [zombie = ''] = system.workers;
  const chapters = tellStory(createDice(13), trial.quick ? 150 : 500, 50);
  const book = openBook<Chapter>();
  const sending = eachOf(chapters, 8, (chapter) => sendUntilAccepted(system.client, book, chapter));
  await sleep(150);
  await Promise.all([sending, freeze(system, zombie, 3 * lockMs)]);
  const ended = await system.quiet(30_000);
  await sleep(1_500); // what the zombie still does after the queue is empty

  const comparison = compare(expected(book.accepted.keys()), await tallyOf(system.mongo));
  const broken = [
    ...differences(comparison),
    ...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })),
  ];
  if (!ended) broken.push('the queue was not empty after 30 s');
  return { figures: { accepted: book.accepted.size, ...comparison }, broken };
};

export const zombie: Fault = {
  name: 'zombie',
  title: 'a worker is paused for three times its lock and wakes up: everything is applied once',
  run: (trial) => attempt(trial, 'track-slow'),
  control: { without: 'marks switched off', run: (trial) => attempt(trial, 'track-slow-without-marks') },
};
