// T08: MongoDB away is nobody's business but the workers'.
import { outage } from '../harness/chaos.ts';
import { isAccepted, requestIdOf } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { type Probe, probeFor, slowest, storedTimes } from '../harness/probe.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { until } from '../harness/wait.ts';

/** What a lost job would look like: one is taken out of its queue behind everybody's back. */
const loseOne = async ({ redis }: System): Promise<void> => {
  for (let partition = 0; partition < 4; partition++) {
    const lost = await redis.lpop(`{roster:track-${partition}}:track-${partition}:wait`);
    if (lost) return;
  }
};

const judge = async (system: System, probes: Probe[], healedMs: number | undefined): Promise<string[]> => {
  const times = await storedTimes(system, probes);
  const wrong = times.filter((count) => count !== 1).length;
  const refused = probes.filter(({ answer }) => !isAccepted(answer)).length;
  const accepted = probes.map(({ answer }) => requestIdOf(answer));
  const broken = imbalance(await reconcile({ accepted, ...system }));
  if (refused > 0) broken.push(`${refused} requests were refused although only MongoDB was away`);
  if (wrong > 0) broken.push(`${wrong} events are not stored just once`);
  if (healedMs === undefined) broken.push('the queue was not empty 25 s after the return of MongoDB');
  return broken;
};

const attempt = async (trial: Trial, tamper?: (system: System) => Promise<void>): Promise<Findings> => {
  const ms = trial.quick ? 4_000 : 30_000;
  const system = await trial.system();
  const away = outage(system, 'mongod', 'SIGTERM', ms);
  const probes = await probeFor(system.client, ms, 50, 'away');
  await tamper?.(system);
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

export const mongoAway: Fault = {
  name: 'mongo-away',
  title: 'MongoDB is stopped: requests are accepted all the same, and applied when it is back',
  run: (trial) => attempt(trial),
  control: { without: 'one job stolen from its queue', run: (trial) => attempt(trial, loseOne) },
};
