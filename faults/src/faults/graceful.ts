// T14: a deployment is not an accident.
import { createDice } from '../harness/dice.ts';
import { judgeStory, unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { sendStory } from '../harness/load.ts';
import type { Preload } from '../harness/preload.ts';
import { countStalls } from '../harness/stalls.ts';
import { judgeStops, replace, type Stop } from '../harness/stops.ts';
import { tellStory } from '../harness/story.ts';
import type { System } from '../harness/system.ts';
import { sleep } from '../harness/wait.ts';

const rollingRestart = async (system: System, rounds: number): Promise<Stop[]> => {
  const stops: Stop[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of [...system.workers, 'ingress']) {
      await sleep(500);
      stops.push(await replace(system, name));
    }
  }
  return stops;
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const system = await trial.system({
    trackWorkers: 2,
    instead: { track: 'track-in-hand' },
    ...(preload && { preload }),
  });
  const chapters = tellStory(createDice(14), trial.quick ? 800 : 3_000);
  const stalled = countStalls(system.redis);
  trial.atEnd(stalled.close);
  const [stops, book] = await Promise.all([
    rollingRestart(system, trial.quick ? 1 : 3),
    sendStory(system, chapters, { perSecond: 120, hands: 16 }),
  ]);
  const late = await unfinished(system, 30_000);
  const { broken } = await judgeStory(system, book.accepted);
  const figures = {
    accepted: book.accepted.size,
    restarts: stops.length,
    'slowest stop ms': Math.max(...stops.map(({ ms }) => ms)),
    'sent again': book.refused + book.unanswered,
    stalls: stalled.stalls(),
  };
  return { figures, broken: [...late, ...broken, ...judgeStops(stops), ...stalled.broken()] };
};

export const graceful = faultOf(attempt, undefined, 'abrupt', {
  name: 'graceful',
  title: 'rolling restart of ingress and workers under load: nothing lost, nothing let fall, exit 0',
  without: 'the end of what is in hand: exit 0 at once',
  breaks: /jobs were let fall/,
});
