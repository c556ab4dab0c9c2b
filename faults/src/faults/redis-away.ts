// T05: without Redis nothing can be kept, so nothing is accepted, and the caller hears it at once.

import { freeze } from '../harness/chaos.ts';
import { isAccepted } from '../harness/client.ts';
import { unfinished } from '../harness/effects.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { Preload } from '../harness/preload.ts';
import { judgeProbes, type Probe, probe, probeFor, slowest, storedTimes } from '../harness/probe.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';

const limitMs = 1_500;
const healMs = 5_000;

const wrongAnswers = (probes: Probe[], when: string): string[] => {
  const wrong = probes.filter(({ answer }) => answer.status !== 503 || !answer.headers['retry-after']);
  const [first] = wrong;
  const said = first
    ? [
        `${wrong.length} of ${probes.length} answers were not 503 with Retry-After while Redis was ${when} (${first.answer.status})`,
      ]
    : [];
  const ms = slowest(probes);
  return ms > limitMs
    ? [...said, `the slowest answer took ${ms.toFixed(0)} ms while Redis was ${when}`]
    : said;
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

/** Asks until one is accepted: all those that were, and how long it took. */
const heal = async (system: System, name: string) => {
  const accepted: Probe[] = [];
  let n = 0;
  const isHealed = async () => {
    const sent = await probe(system.client, `${name}-${n++}`);
    if (isAccepted(sent.answer)) accepted.push(sent);
    return accepted.length > 0;
  };
  return { ms: await until(healMs + 5_000, isHealed), accepted };
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const system = await trial.system(preload && { preload });
  const away = trial.quick ? 3_000 : 10_000;
  const killing = await killed(system, away);
  const healed = await heal(system, 'healed');
  const freezing = await frozen(system, away);
  const thawed = await heal(system, 'thawed');
  const late = await unfinished(system, 30_000);

  // While Redis was dead nothing can have been stored; while it was frozen "unknown" is the most that can be said.
  const stored = (await storedTimes(system, killing)).filter((count) => count > 0).length;
  const all = [...killing, ...freezing, ...healed.accepted, ...thawed.accepted];
  const broken = [...wrongAnswers(killing, 'dead'), ...wrongAnswers(freezing, 'frozen'), ...late];
  broken.push(...(await judgeProbes(system, all)));
  if (stored > 0) broken.push(`${stored} requests that were refused are stored`);
  if (!((healed.ms ?? Number.NaN) <= healMs))
    broken.push(`healed after ${healed.ms?.toFixed(0) ?? 'more than 10,000'} ms`);
  if (!((thawed.ms ?? Number.NaN) <= healMs)) broken.push('not healed within 5 s of the thaw');
  const figures = {
    refused: killing.length + freezing.length,
    'slowest ms': slowest([...killing, ...freezing]),
  };
  return {
    figures: { ...figures, 'healed after ms': healed.ms ?? -1, 'thawed after ms': thawed.ms ?? -1 },
    broken,
  };
};

export const redisAway = faultOf(attempt, [undefined, 'without-time-limits'], {
  name: 'redis-away',
  alone: true,
  timing: /^the slowest answer took|^healed after|^not healed within/,
  title: 'Redis is killed, then frozen: 503 with Retry-After within 1.5 s, healed within 5 s',
  without: 'time limits: the ingress waits for Redis as long as it takes',
  breaks: /(not 503 with Retry-After|took \d+ ms) while Redis was frozen/,
});
