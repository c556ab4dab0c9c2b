// T14: a deployment is not an accident.
import { openBook, sendUntilAccepted } from '../harness/book.ts';
import { compare, differences } from '../harness/compare.ts';
import { createDice } from '../harness/dice.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { createPace } from '../harness/pace.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import { countStalls } from '../harness/stalls.ts';
import { tallyOf } from '../harness/stored.ts';
import { type Chapter, expected, tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { eachOf, sleep } from '../harness/wait.ts';

const mostMs = 25_000;

interface Stop {
  name: string;
  code: number | null;
  ms: number;
}

const replace = async (system: System, name: string, signal: NodeJS.Signals): Promise<Stop> => {
  const began = performance.now();
  const code = await system.part(name).end(signal);
  const ms = performance.now() - began;
  await system.part(name).start();
  return { name, code, ms };
};

const rollingRestart = async (system: System, rounds: number, signal: NodeJS.Signals): Promise<Stop[]> => {
  const stops: Stop[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of [...system.workers, 'ingress']) {
      await sleep(500);
      stops.push(await replace(system, name, signal));
    }
  }
  return stops;
};

const attempt = async (trial: Trial, signal: NodeJS.Signals): Promise<Findings> => {
  const system = await trial.system({ trackWorkers: 2 });
  const rounds = trial.quick ? 1 : 3;
  const chapters = tellStory(createDice(14), trial.quick ? 800 : 3_000);
  const book = openBook<Chapter>();
  const pace = createPace(120);
  const stalled = countStalls(system.redis);
  trial.atEnd(stalled.close);
  const sending = eachOf(chapters, 16, async (chapter) => {
    await pace();
    await sendUntilAccepted(system.client, book, chapter);
  });
  const [stops] = await Promise.all([rollingRestart(system, rounds, signal), sending]);
  const ended = await system.quiet(30_000);

  const comparison = compare(expected(book.accepted.keys()), await tallyOf(system.mongo));
  const broken = [
    ...differences(comparison),
    ...imbalance(await reconcile({ accepted: book.accepted.values(), ...system })),
  ];
  for (const { name, code, ms } of stops) {
    if (code !== 0) broken.push(`${name} ended with ${code}`);
    if (ms > mostMs) broken.push(`${name} took ${ms.toFixed(0)} ms to stop`);
  }
  if (stalled.stalls() > 0) broken.push(`${stalled.stalls()} jobs were let fall`);
  if (!ended) broken.push('the queue was not empty after 30 s');
  const slowest = Math.max(...stops.map(({ ms }) => ms));
  const figures = { accepted: book.accepted.size, restarts: stops.length, 'slowest stop ms': slowest };
  return {
    figures: { ...figures, 'sent again': book.refused + book.unanswered, stalls: stalled.stalls() },
    broken,
  };
};

export const graceful: Fault = {
  name: 'graceful',
  title: 'rolling restart of ingress and workers under load: nothing lost, nothing stalled, exit 0',
  run: (trial) => attempt(trial, 'SIGTERM'),
  control: { without: 'SIGKILL instead of SIGTERM', run: (trial) => attempt(trial, 'SIGKILL') },
};
