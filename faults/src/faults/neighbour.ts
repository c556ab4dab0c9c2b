// One workspace sends the most expensive requests there are as fast as its limits allow. Another one hardly notices.
// The data lie in memory: on a shared disk a sync of one kilobyte by a bystander takes longer than all of Roster (docs/adr/ingress.md).
import { work } from '@roster/contract';
import { anyFreePort } from '@roster/local-stack';
import { setLimits } from '@roster/testkit';
import { type Bystander, openBystander } from '../costly/bystander.ts';
import { foundBefore } from '../costly/found.ts';
import { startLoud } from '../costly/loud.ts';
import { type ByName, dropDeliveries, endAtOnce, services } from '../costly/observe.ts';
import { type Answer, type Call, type Client, isAccepted } from '../harness/client.ts';
import { quantile } from '../harness/delays.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import { createPace, steadily } from '../harness/pace.ts';
import { countRows } from '../harness/rows.ts';
import type { System } from '../harness/system.ts';
import { inUsualMs, usualProcessors } from '../yardstick/usual-ms.ts';
import { unbounded } from './costly.ts';

const mostTimes = 5;
const mostMs = 250;
const mostAppliedMs = 2_000;
/** A page with its form, the list of contents, a webhook of its own: so much later than alone, or so late at least. */
const late = { times: 10, leastMs: 5_000 };
/** As long as is allowed, on a machine five times slower than the usual one. */
const waitSeconds = 10;
/** Two windows of points. */
const warmSeconds = 6;
const perSecond = 20;
/** Of a bystander: each opens two pages, and a network has 120 in a minute. */
const asksPerSecond = 0.8;
/** So long all that was accepted may take in the end. */
const restMs = 20_000;

/** What the small requests of a phase saw. */
export interface Phase {
  /** Until the answer, of those that don't wait for more. */
  answered: number[];
  /** Until the answer, of those that wait until it is applied. */
  applied: number[];
  /** Or not answered at all: path and status of each. */
  refused: string[];
  /** How long each was waited for that a process of messaging is for. */
  waited: ByName[];
}

const personOf = (n: number): string => `small-${n % 50}`;

const event = (name: string, n: number): Call => ({
  body: { events: [{ external_id: personOf(n), name, time: '2026-01-31T12:00:00Z' }] },
});

/** A small request of a usual day. Where it waits, until it is applied. */
interface Kind {
  waits: boolean;
  /** What it stores is counted in the end. */
  isEvent?: true;
  call(name: string, n: number): Call;
}

const news = { id: 'quiet-news', name: 'News', channel: 'email' };

const kinds: readonly [Kind, ...Kind[]] = [
  { waits: false, isEvent: true, call: event },
  {
    waits: true,
    call: (name, n) => ({
      path: '/users/alias/new',
      body: { user_aliases: [{ external_id: personOf(n), alias_label: 'web', alias_name: name }] },
    }),
  },
  {
    // It waits for what its workspace sent before.
    waits: true,
    call: (_, n) => ({
      path: '/users/export/ids',
      body: { external_ids: [personOf(n)], fields_to_export: ['external_id', 'custom_attributes'] },
    }),
  },
  { waits: true, isEvent: true, call: event },
  { waits: false, call: () => ({ method: 'GET', path: '/content_blocks/list' }) },
  {
    waits: true,
    call: (_, n) => ({
      path: '/subscription/status/set',
      body: {
        subscription_group_id: news.id,
        subscription_state: n % 4 < 2 ? 'subscribed' : 'unsubscribed',
        external_id: [personOf(n)],
      },
    }),
  },
];

/** Until it was applied, or read after everything that its workspace had sent before: of a request that waits, by itself or because it was asked to. */
const appliedMs = (answer: Answer): number => {
  const isQueued = answer.status === 202 || answer.body.includes('"queued"');
  const isDone = isAccepted(answer) && !isQueued && answer.headers['x-roster-fresh'] !== 'false';
  return isDone ? inUsualMs(answer.ms) : Number.POSITIVE_INFINITY;
};

/** The quiet workspace, and the names of its accepted events. */
interface Quiet {
  client: Client;
  accepted: Set<string>;
  bystander: Bystander;
}

/** One after the other, as long as the phase lasts, and no more often than strangers of one network may open pages. */
const askOn = async ({ bystander }: Quiet, isOver: () => boolean): Promise<ByName[]> => {
  const waited: ByName[] = [];
  const pace = createPace(asksPerSecond);
  do {
    await pace();
    waited.push(await bystander.ask());
  } while (!isOver());
  return waited;
};

/** One kind after the other. */
const speak = async (quiet: Quiet, name: string, seconds: number): Promise<Phase> => {
  const { client, accepted } = quiet;
  const phase: Phase = { answered: [], applied: [], refused: [], waited: [] };
  let isOver = false;
  const asking = askOn(quiet, () => isOver);
  const send = async (n: number): Promise<void> => {
    const { waits, isEvent, call } = kinds[n % kinds.length] ?? kinds[0];
    const headers = waits ? { prefer: `wait=${waitSeconds}` } : {};
    const asked = call(`${name}-${n}`, n);
    const answer = await client.call({ ...asked, headers, timeoutMs: 2_000 * waitSeconds });
    if (!isAccepted(answer)) phase.refused.push(`${asked.path ?? '/users/track'} ${answer.status}`);
    else if (waits) phase.applied.push(appliedMs(answer));
    else phase.answered.push(inUsualMs(answer.ms));
    if (isEvent && isAccepted(answer)) accepted.add(`${name}-${n}`);
  };
  await steadily(perSecond, perSecond * seconds, send);
  isOver = true;
  return { ...phase, waited: await asking };
};

export interface Round {
  quiet: Phase;
  loud: Phase;
}

const p99 = (values: readonly number[]): number => quantile(values, 0.99);

const slowestOf = (waited: readonly ByName[], process: string): number =>
  Math.max(0, ...waited.map((one) => one[process] ?? 0).filter(Number.isFinite));

/** What of messaging did not come at all, or far later than alone. */
const lateIn = ({ quiet, loud }: Round): string[] =>
  Object.keys(quiet.waited[0] ?? {}).flatMap((process) => {
    const lost = loud.waited.filter((one) => !Number.isFinite(one[process])).length;
    const most = Math.max(late.leastMs, late.times * slowestOf(quiet.waited, process));
    const slowest = slowestOf(loud.waited, process);
    return [
      ...(lost > 0 ? [`${lost} of ${loud.waited.length} times nothing came from ${process}`] : []),
      ...(slowest > most
        ? [`the slowest from ${process} came after ${slowest.toFixed(0)} ms, not ${most.toFixed(0)}`]
        : []),
    ];
  });

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
    ...(loud.refused.length === 0
      ? []
      : [
          `${loud.refused.length} small requests were refused or not answered: ${[...new Set(loud.refused)].join(', ')}`,
        ]),
    ...lateIn({ quiet, loud }),
  ];
};

/** Nobody knows whether they came: the process that sent them ended. */
const unknownOnes = async ({ mongo }: System): Promise<string[]> => {
  const unknown = await mongo.collection('sends').countDocuments({ ws: 'bystander', state: 'unknown' });
  return unknown === 0 ? [] : [`${unknown} webhooks of another workspace are unknown`];
};

/** Each accepted event is there once. */
const notOnce = async ({ mongo }: System, { accepted }: Quiet): Promise<string[]> => {
  const names = [...accepted];
  const stored = await countRows(mongo, 'events', { name: { $in: names } });
  return stored === names.length ? [] : [`${stored} of ${names.length} accepted events are stored`];
};

/**
 * What docs/production.md tells an operator to do on a small machine: a workspace may use three of four processors, as its usual limit does
 * on two usual ones.
 */
const loudWork = () => {
  const { requests, seconds } = work;
  return { requests: Math.round(requests * Math.min(1, usualProcessors() / 2)), seconds };
};

const attempt = async (trial: Trial, instead: Record<string, string>): Promise<Findings> => {
  const pagesPort = String(await anyFreePort());
  const env = { PAGES_PORT: pagesPort };
  const system = await trial.system({ services, instead, usualLimits: true, inMemory: true, env });
  trial.atEnd(() => endAtOnce(system));
  const client = await system.newWorkspace('quiet', { subscription_groups: [news] });
  const bystander = await trial.opened(openBystander(system));
  const quiet: Quiet = { client, accepted: new Set(), bystander };
  const { baseUrl, credentials } = system;
  const genomes = foundBefore.filter(({ isLong }) => !isLong);
  const loud = startLoud({
    target: { baseUrl, pagesUrl: `http://127.0.0.1:${pagesPort}`, headers: credentials },
    genomes,
  });
  trial.atEnd(loud.stop);
  await loud.prepared;
  await setLimits(system.redis, system.mongo, system.workspace, { [work.pool]: loudWork() });
  // Both: what is judged is a process that has been up for a while, not one that compiles its code. What is still to be sent then would
  // slow down the figures without the loud one.
  await speak(quiet, 'warm', 2);
  loud.go();
  await speak(quiet, 'warmer', warmSeconds);
  loud.pause();
  await dropDeliveries(system);
  await system.quiet(restMs);
  const seconds = trial.quick ? 6 : 20;
  const before = await speak(quiet, 'alone', seconds);
  loud.go();
  const beside = await speak(quiet, 'beside', seconds);
  const answers = await loud.stop();
  const broken = brokenIn({ quiet: before, loud: beside });
  // Accepted as far as its limits allow, and told when it had used them up.
  if (!answers[201] || !answers[429]) broken.push('the loud one never reached its limits');
  broken.push(...(await unknownOnes(system)));
  const dead = services.filter((name) => !system.part(name).alive());
  if (dead.length > 0) broken.push(`${dead.join(', ')} died`);
  else if (await system.quiet(restMs)) broken.push(...(await notOnce(system, quiet)));
  else broken.push(`the queues were not empty after ${restMs / 1_000} s`);
  return {
    figures: {
      'p99 quiet ms': p99(before.answered),
      'p99 beside ms': p99(beside.answered),
      'slowest applied ms': Math.max(...beside.applied, 0),
      'slowest webhook beside ms': slowestOf(beside.waited, 'sender'),
      'answers to the loud one': Object.entries(answers)
        .map(([status, n]) => `${status}: ${n}`)
        .join(' '),
    },
    broken,
  };
};

export const neighbour = faultOf(attempt, [{}, unbounded], {
  name: 'neighbour',
  onlyByName: true,
  alone: true,
  timing: /were answered within|was applied after|came after/,
  title: 'one workspace sends the most expensive requests at its full rate: another hardly waits longer',
  without: 'no bounds on the work of a request',
  breaks: /were answered within|was applied after|were refused|died|nothing came from/,
});
