// T17: a request that kills its worker process, each time.
import { keepAlive } from '../harness/chaos.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { until } from '../harness/wait.ts';
import { judgeHundred, queueHundred } from './poison.ts';

const mostDeaths = 4;

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  const system = await trial.system({ services: ['ingress', 'track', 'export'], instead: { track } });
  const { book, culpritId } = await queueHundred(system, 'deadly');
  const guard = keepAlive(system, system.workers);
  const enough = async () => (await system.quiet(200)) || guard.deaths() > mostDeaths;
  const ms = await until(120_000, enough);
  await guard.stop();
  const { figures, broken } = await judgeHundred(system, book.accepted.values(), culpritId, 'crash');
  if (guard.deaths() > mostDeaths)
    broken.push(`${guard.deaths()} workers died of it, not ${mostDeaths} at most`);
  if (ms === undefined) broken.push('the queue was not empty after two minutes');
  return {
    figures: { ...figures, 'workers that died': guard.deaths(), 'settled after ms': ms ?? -1 },
    broken,
  };
};

export const deadly: Fault = {
  name: 'deadly',
  title: 'one request among a hundred kills its worker: four deaths at most, ninety-nine applied',
  run: (trial) => attempt(trial, 'track-deadly'),
  control: {
    without: 'a worker that forgets who is suspect',
    breaks: /workers died of it/,
    run: (trial) => attempt(trial, 'track-deadly-forgetful'),
  },
};
