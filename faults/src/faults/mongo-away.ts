// T08: MongoDB away matters to the workers only.
import { outage } from '../harness/chaos.ts';
import { isAccepted, requestIdOf } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { type Probe, probeFor, slowest, storedTimes } from '../harness/probe.ts';
import { deadLetters } from '../harness/queue-state.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';

const judge = async (system: System, probes: Probe[], healedMs: number | undefined): Promise<string[]> => {
  const times = await storedTimes(system, probes);
  const wrong = times.filter((count) => count !== 1).length;
  const refused = probes.filter(({ answer }) => !isAccepted(answer)).length;
  const accepted = probes.map(({ answer }) => requestIdOf(answer));
  const broken = imbalance(await reconcile({ accepted, ...system }));
  const dead = (await deadLetters(system.redis)).length;
  if (dead > 0) broken.push(`${dead} requests became dead letters although only MongoDB was away`);
  if (refused > 0) broken.push(`${refused} requests were refused although only MongoDB was away`);
  if (wrong > 0) broken.push(`${wrong} events are not stored just once`);
  if (healedMs === undefined) broken.push('the queue was not empty 25 s after the return of MongoDB');
  return broken;
};

const attempt = async (trial: Trial, track: string): Promise<Findings> => {
  // Longer than an operation looks for a MongoDB.
  const ms = trial.quick ? 6_000 : 30_000;
  const system = await trial.system({ instead: { track } });
  const away = outage(system, 'mongod', 'SIGTERM', ms);
  const probes = await probeFor(system.client, ms, 50, 'away');
  await away;
  const healedMs = await until(25_000, () => system.quiet(100));
  const broken = await judge(system, probes, healedMs);
  const figures = {
    accepted: probes.length,
    'slowest answer ms': slowest(probes),
    'applied after ms': healedMs ?? -1,
  };
  return { figures, broken };
};

export const mongoAway = faultOf(attempt, 'track-impatient', 'track-resigned', {
  name: 'mongo-away',
  title: 'MongoDB is stopped: requests are accepted all the same, and applied when it is back',
  without: 'another try: every error is taken for a permanent one',
  breaks: /became dead letters although only MongoDB was away/,
});
