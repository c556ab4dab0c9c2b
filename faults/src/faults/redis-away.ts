// T05: without Redis nothing can be kept, so nothing is accepted, and the caller hears it at once.

import { freeze } from '../harness/chaos.ts';
import { isAccepted, requestIdOf } from '../harness/client.ts';
import type { Fault, Findings, Trial } from '../harness/fault.ts';
import { type Probe, probe, probeFor, slowest, storedTimes } from '../harness/probe.ts';
import { imbalance, reconcile } from '../harness/reconcile.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';

const limitMs = 1_500;
const healMs = 5_000;

const wrongAnswers = (probes: Probe[]): string[] => {
  const wrong = probes.filter(({ answer }) => answer.status !== 503 || !answer.headers['retry-after']);
  const [first] = wrong;
  const said = first
    ? [`${wrong.length} of ${probes.length} answers were not 503 with Retry-After (${first.answer.status})`]
    : [];
  const ms = slowest(probes);
  return ms > limitMs ? [...said, `the slowest answer took ${ms.toFixed(0)} ms`] : said;
};

/** Killed, and back on its data after a while. */
const killed = async (system: System, ms: number): Promise<Probe[]> => {
  await system.part('redis').end('SIGKILL');
  const probes = await probeFor(system.client, ms, 20, 'killed');
  await system.part('redis').start();
  return probes;
};

/** Alive and silent: the connection stays open, nothing ever comes. */
const frozen = async (system: System, ms: number): Promise<Probe[]> => {
  const frozen = freeze(system, 'redis', ms);
  await sleep(50);
  const probes = await probeFor(system.client, ms - 1_800, 20, 'frozen');
  await frozen;
  return probes;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ instead });
  const away = trial.quick ? 3_000 : 10_000;
  const killing = await killed(system, away);
  const healed = await until(healMs + 5_000, async () =>
    isAccepted((await probe(system.client, 'healed')).answer),
  );
  const freezing = await frozen(system, away);
  const after = await until(healMs, async () => isAccepted((await probe(system.client, 'thawed')).answer));
  await system.quiet(30_000);

  // While Redis was dead nothing can have been stored; while it was frozen "unknown" is the most that can be said.
  const stored = (await storedTimes(system, killing)).filter((count) => count > 0).length;
  const last = await probe(system.client, 'last');
  const accepted = [requestIdOf(last.answer)];
  await system.quiet(30_000);
  const broken = [...wrongAnswers(killing), ...wrongAnswers(freezing)];
  broken.push(...imbalance(await reconcile({ accepted, ...system })));
  if (stored > 0) broken.push(`${stored} requests that were refused are stored`);
  if (healed === undefined || healed > healMs)
    broken.push(`healed after ${healed?.toFixed(0) ?? 'more than 10,000'} ms`);
  if (after === undefined) broken.push('not healed within 5 s of the thaw');
  const figures = {
    refused: killing.length + freezing.length,
    'slowest ms': slowest([...killing, ...freezing]),
  };
  return { figures: { ...figures, 'healed after ms': healed ?? -1, 'thawed after ms': after ?? -1 }, broken };
};

export const redisAway: Fault = {
  name: 'redis-away',
  title: 'Redis is killed, then frozen: 503 with Retry-After within 1.5 s, healed within 5 s',
  run: (trial) => attempt(trial, {}),
  control: {
    without: 'an ingress with BullMQ as it comes',
    run: (trial) => attempt(trial, { ingress: 'naive-ingress' }),
  },
};
