// One workspace sends the most expensive requests there are as fast as its limits allow. Another one hardly notices.
// The data lie in memory: on a shared disk a sync of one kilobyte by a bystander takes longer than all of Roster (docs/adr/0036).
import { foundBefore } from '../costly/found.ts';
import { type Loud, startLoud } from '../costly/loud.ts';
import { endAtOnce, services } from '../costly/observe.ts';
import { type Answer, type Client, isAccepted, requestIdOf } from '../harness/client.ts';
import { quantile, sinceStamp } from '../harness/delays.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { createPace } from '../harness/pace.ts';
import { countRows } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { unbounded } from './costly.ts';

const mostTimes = 5;
const mostMs = 250;
const mostAppliedMs = 2_000;
/** Nothing is gained by waiting much longer than is allowed. */
const waitSeconds = 3;
const perSecond = 20;
/** So long all that was accepted may take in the end. */
const restMs = 20_000;
const mostRounds = 4;

/** What the small requests of a phase saw. */
export interface Phase {
  /** Until the answer, of those that don't wait for more. */
  answered: number[];
  /** From the stamp until it was applied, of the others. */
  applied: number[];
  /** Or not answered at all. */
  refused: number;
}

const bodyOf = (name: string, n: number) => ({
  events: [{ external_id: `small-${n % 50}`, name, time: '2026-01-31T12:00:00Z' }],
});

const appliedMs = (answer: Answer): number =>
  answer.body.includes('"applied"') ? sinceStamp(requestIdOf(answer)) : Number.POSITIVE_INFINITY;

/** The quiet workspace, and the names of its accepted events. */
interface Quiet {
  client: Client;
  accepted: Set<string>;
}

/** Every second request waits until it is applied. */
const speak = async ({ client, accepted }: Quiet, name: string, seconds: number): Promise<Phase> => {
  const pace = createPace(perSecond);
  const phase: Phase = { answered: [], applied: [], refused: 0 };
  const note = (answer: Answer, waits: boolean): void => {
    if (!isAccepted(answer)) phase.refused++;
    else if (waits) phase.applied.push(appliedMs(answer));
    else phase.answered.push(answer.ms);
  };
  const send = async (n: number): Promise<void> => {
    const waits = n % 2 === 1;
    const headers = waits ? { prefer: `wait=${waitSeconds}` } : {};
    const body = bodyOf(`${name}-${n}`, n);
    const answer = await client.call({ body, headers, timeoutMs: 2_000 * waitSeconds });
    if (isAccepted(answer)) accepted.add(`${name}-${n}`);
    note(answer, waits);
  };
  const sent: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    await pace();
    sent.push(send(n));
  }
  await Promise.all(sent);
  return phase;
};

export interface Round {
  quiet: Phase;
  loud: Phase;
}

const p99 = (values: readonly number[]): number => quantile(values, 0.99);

/** What the loud phase of a round breaks. */
export const brokenIn = ({ quiet, loud }: Round): string[] => {
  const [usual, beside] = [p99(quiet.answered), p99(loud.answered)];
  const most = Math.min(mostMs, mostTimes * usual);
  const slowest = Math.max(...loud.applied, 0);
  return [
    // Also when there is no figure at all.
    ...(beside <= most
      ? []
      : [`99 of 100 were answered within ${beside.toFixed(0)} ms, not ${most.toFixed(0)}`]),
    ...(slowest <= mostAppliedMs
      ? []
      : [`the slowest was applied after ${slowest.toFixed(0)} ms, not ${mostAppliedMs}`]),
    ...(loud.refused === 0 ? [] : [`${loud.refused} small requests were refused or not answered`]),
  ];
};

/** A neighbour on this machine slows single rounds; a missing bound slows all of them. */
export const bestOf = (rounds: readonly Round[]): Round | undefined =>
  rounds.toSorted(
    (a, b) => brokenIn(a).length - brokenIn(b).length || p99(a.loud.answered) - p99(b.loud.answered),
  )[0];

/** Each accepted event is there once. */
const notOnce = async ({ mongo }: System, { accepted }: Quiet): Promise<string[]> => {
  const names = [...accepted];
  const stored = await countRows(mongo, 'events', { name: { $in: names } });
  return stored === names.length ? [] : [`${stored} of ${names.length} accepted events are stored`];
};

/** One round after the other; one in which every promise was kept is enough. */
const play = async (
  trial: Trial,
  system: System,
  quiet: Quiet,
  loud: Loud,
  most: number,
): Promise<Round[]> => {
  const seconds = trial.quick ? 4 : 15;
  const rounds: Round[] = [];
  for (let round = 0; round < most; round++) {
    // What the loud one has left behind does not belong to the next quiet phase.
    if (round > 0 && !(await system.quiet(restMs))) break;
    const before = await speak(quiet, `alone-${round}`, seconds);
    loud.go();
    const beside = await speak(quiet, `beside-${round}`, seconds);
    loud.pause();
    const both = { quiet: before, loud: beside };
    rounds.push(both);
    if (brokenIn(both).length === 0) break;
  }
  return rounds;
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const system = await trial.system({ services, instead, usualLimits: true, inMemory: true });
  trial.atEnd(() => endAtOnce(system));
  const quiet: Quiet = { client: await system.newWorkspace('quiet'), accepted: new Set() };
  const { baseUrl, credentials } = system;
  const genomes = foundBefore().filter(({ isLong }) => !isLong);
  const loud = startLoud({ target: { baseUrl, headers: credentials }, genomes });
  trial.atEnd(loud.stop);
  await loud.prepared;
  await speak(quiet, 'warm', 2);
  const isControl = Object.keys(instead).length > 0;
  const rounds = await play(trial, system, quiet, loud, isControl ? 1 : mostRounds);
  const best = bestOf(rounds);
  const answers = await loud.stop();
  const broken = best ? brokenIn(best) : ['nothing was measured'];
  // Accepted as far as its limits allow, and told when it had used them up.
  if (!answers[201] || !answers[429]) broken.push('the loud one never reached its limits');
  const dead = services.filter((name) => !system.part(name).alive());
  if (dead.length > 0) broken.push(`${dead.join(', ')} died`);
  else if (await system.quiet(restMs)) broken.push(...(await notOnce(system, quiet)));
  else broken.push(`the queues were not empty after ${restMs / 1_000} s`);
  return {
    figures: {
      rounds: rounds.length,
      'p99 quiet ms': p99(best?.quiet.answered ?? []),
      'p99 beside ms': p99(best?.loud.answered ?? []),
      'slowest applied ms': Math.max(...(best?.loud.applied ?? []), 0),
      'answers to the loud one': Object.entries(answers)
        .map(([status, n]) => `${status}: ${n}`)
        .join(' '),
    },
    broken,
  };
};

export const neighbour = faultOf(attempt, {}, unbounded, {
  name: 'neighbour',
  onlyByName: true,
  alone: true,
  title: 'one workspace sends the most expensive requests at its full rate: another hardly waits longer',
  without: 'no bounds on the work of a request',
  breaks: /were answered within|was applied after|were refused|died/,
});
