/** How long this process has waited for a processor. Linux counts it for the main thread, in which the event loop is. */
import { readFileSync } from 'node:fs';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

const everyMs = 5_000;
const windowMs = 60_000;

/** Shares of the last minute: from the first on a process is starved, and no more below the second. */
const starvation = { from: 0.5, until: 0.25 } as const;

export const isStarved = (share: number, wasStarved: boolean): boolean =>
  share >= (wasStarved ? starvation.until : starvation.from);

/** Milliseconds so far: the second figure of schedstat. `undefined` where the system does not tell. */
export const waitedMs = (file = '/proc/self/schedstat'): number | undefined => {
  try {
    const [, waited] = readFileSync(file, 'utf8').split(' ');
    return waited === undefined ? undefined : Number(waited) / 1e6;
  } catch {
    // No Linux, or a sandbox.
    return undefined;
  }
};

/** While it is starved: the share of the last minute for which it has waited. Then once `undefined`. */
type Hear = (share: number | undefined) => void;

export interface Processor {
  readonly service: string;
  /** The dates of its other secrets; undefined where it reads none. */
  readonly secretsUntil?: readonly Date[] | undefined;
  hear(hear: Hear): void;
}

interface ProcessorOptions {
  service: string;
  log: Log;
  metrics: Metrics;
  readMs?(): number | undefined;
  now?(): number;
}

interface Look {
  at: number;
  waited: number;
}

/** Unknown until there are looks of half the time. */
const shareOf = (first: Look, last: Look): number | undefined =>
  last.at - first.at < windowMs / 2
    ? undefined
    : Math.min(1, (last.waited - first.waited) / (last.at - first.at));

const createMeasures = (metrics: Metrics, share: () => number | undefined) => {
  metrics.gauge({
    name: 'roster_processor_wait_share',
    help: 'Share of the last minute for which the event loop had work and no processor.',
    read: () => [share()].flatMap((value) => (value === undefined ? [] : [{ value }])),
  });
  return metrics.counter({
    name: 'roster_processor_wait_seconds_total',
    help: 'Time for which the event loop had work and no processor.',
  });
};

export const watchProcessor = (options: ProcessorOptions) => {
  const { service, log, metrics, readMs = waitedMs, now = () => performance.now() } = options;
  const hearers: Hear[] = [];
  const looks: Look[] = [];
  let share: number | undefined;
  let starved = false;
  const waitedSoFar = readMs();
  const counter = waitedSoFar === undefined ? undefined : createMeasures(metrics, () => share);
  counter?.with().inc(waitedSoFar === undefined ? 0 : waitedSoFar / 1_000);

  const judge = (known: number): void => {
    const was = starved;
    starved = isStarved(known, was);
    const waited = { waited_share: Number(known.toFixed(2)) };
    if (starved && !was) log.warn(waited, 'the process gets too little of the processors');
    if (!starved && was) log.info(waited, 'the process gets enough of the processors again');
    if (starved || was) for (const hear of hearers) hear(starved ? known : undefined);
  };

  const look = (): void => {
    const waited = readMs();
    if (waited === undefined) return;
    const last = { at: now(), waited };
    counter?.with().inc((waited - (looks.at(-1)?.waited ?? waitedSoFar ?? waited)) / 1_000);
    looks.push(last);
    while (looks[1] && last.at - looks[1].at >= windowMs) looks.shift();
    const [first = last] = looks;
    share = shareOf(first, last);
    if (share !== undefined) judge(share);
  };

  look();
  const timer = counter && setInterval(look, everyMs).unref();
  const processor: Processor = { service, hear: (hear) => void hearers.push(hear) };
  return { processor, look, close: () => clearInterval(timer) };
};
