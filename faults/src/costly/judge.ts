// The bars, and what a measured request is held against.

/** What a request caused, measured from outside. Usual milliseconds of CPU time, megabytes, bytes. */
export interface Cost {
  status: number;
  /** Of one request, as it was sent. */
  bytes: number;
  /** How many were sent at once. */
  senders: number;
  /** It was queued: it was not refused at the door. */
  isTakenIn: boolean;
  /** By process, of one request, as the usual machine would take it. */
  cpuMs: Record<string, number>;
  /** The longest block of an event loop, by process. */
  blockMs: Record<string, number>;
  /** The highest resident memory, by process; of those alone that took more than they had. */
  peakMb: Record<string, number>;
  /** What stays of one request in Redis. */
  keptBytes: number;
  /** Processes that ended. */
  died: string[];
  deadLetters: number;
  /** Everything that was accepted came to rest. */
  isSettled: boolean;
  /** Preparations that were refused: what was to be there is not there. */
  refusedSteps: number;
  /** On a road of messaging: how long others waited for what each process is for. What is done there is done later, and paid for by its caller. */
  waitedMs?: Record<string, number>;
  /** Recipients who got nothing because their texts are too much. */
  skipped?: number;
  /** Likewise: of one email, at the mail server. */
  recipients?: number;
}

export const bars = {
  refused: { ms: 1, nsPerByte: 40 },
  cpuMs: 250,
  blockMs: 100,
  memoryMb: 400,
  kept: { bytes: 2_048, perByte: 2 },
  /** Of others, who are done within a second when they are alone, or within four on a machine that is very busy. */
  waitedMs: 10_000,
  /** On a road of messaging, beside others that are asked for at the same time: a third of what ends a process. A page is one request, as any other. */
  roadBlockMs: 1_000,
  /** The person, and one hidden copy. */
  recipients: 2,
} as const;

export type Bar =
  | 'cpu'
  | 'block'
  | 'memory'
  | 'refusal'
  | 'kept'
  | 'death'
  | 'dead letter'
  | 'rest'
  | 'others'
  | 'recipients';

/** How much of a bar a request takes; above 1 the bar is broken. */
export interface Strain {
  bar: Bar;
  process: string;
  share: number;
  sentence: string;
}

/** They have limits of their own (`maxmemory`, the cache of MongoDB). */
const servers = new Set(['redis', 'mongod']);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const strain = (bar: Bar, process: string, share: number, sentence: string): Strain => ({
  bar,
  process,
  share,
  sentence,
});

const perProcess = (
  values: Record<string, number>,
  bar: Bar,
  most: number,
  say: (value: string, process: string) => string,
): Strain[] =>
  Object.entries(values).map(([name, value]) => strain(bar, name, value / most, say(value.toFixed(0), name)));

/** What was not queued can have cost no other process anything. */
const atTheDoor = ['ingress', 'redis'];

const refusal = ({ cpuMs, bytes }: Cost): Strain => {
  const spent = sum(atTheDoor.map((name) => cpuMs[name] ?? 0));
  const most = bars.refused.ms + (bytes * bars.refused.nsPerByte) / 1e6;
  const sentence = `its refusal took ${spent.toFixed(1)} ms of CPU, not ${most.toFixed(1)}`;
  return strain('refusal', 'ingress', spent / most, sentence);
};

const kept = ({ keptBytes, bytes }: Cost): Strain => {
  const most = bars.kept.bytes + bytes * bars.kept.perByte;
  const sentence = `${keptBytes.toFixed(0)} bytes of it stay in Redis, not ${most}`;
  return strain('kept', 'redis', keptBytes / most, sentence);
};

/** A process that died is far past any bar. */
const lost = 100;

const losses = ({ died, deadLetters, isSettled }: Cost): Strain[] => [
  ...died.map((name) => strain('death', name, lost, `${name} died of it`)),
  ...(deadLetters > 0 ? [strain('dead letter', 'none', lost, 'it became a dead letter')] : []),
  ...(isSettled ? [] : [strain('rest', 'none', lost, 'it never came to rest')]),
];

const blocksOver = (blockMs: Record<string, number>, most: number): Strain[] =>
  perProcess(blockMs, 'block', most, (ms, name) => `${name} was blocked for ${ms} ms, not ${most}`);

const blocksOfRoad = ({ pages = 0, ...others }: Record<string, number>, senders: number): Strain[] => [
  ...blocksOver({ pages }, senders > 1 ? bars.roadBlockMs : bars.blockMs),
  ...blocksOver(others, bars.roadBlockMs),
];

const memory = (peakMb: Record<string, number>): Strain[] =>
  perProcess(
    peakMb,
    'memory',
    bars.memoryMb,
    (mb, name) => `${name} took ${mb} MB, not ${bars.memoryMb}`,
  ).filter(({ process }) => !servers.has(process));

const others = (waitedMs: Record<string, number>): Strain[] =>
  Object.entries(waitedMs).map(([name, ms]) => {
    const share = Number.isFinite(ms) ? ms / bars.waitedMs : lost;
    return strain('others', name, share, `others got nothing from ${name} within ${bars.waitedMs / 1_000} s`);
  });

/** Those that are allowed are nothing of the bar: each email has them. */
const recipients = (count: number): Strain => {
  const share = count > bars.recipients ? count / bars.recipients : 0;
  return strain(
    'recipients',
    'sender',
    share,
    `one email went to ${count} recipients, not ${bars.recipients}`,
  );
};

/** Who messages others is metered, not bounded: it may go on for long, and must not harm anybody else. */
const strainsOfRoad = (cost: Cost): Strain[] => [
  ...others(cost.waitedMs ?? {}),
  ...blocksOfRoad(cost.blockMs, cost.senders),
  ...memory(cost.peakMb),
  recipients(cost.recipients ?? 0),
  ...losses({ ...cost, isSettled: true }),
];

const strainsOfOne = (cost: Cost): Strain[] => {
  const work = cost.isTakenIn
    ? perProcess(cost.cpuMs, 'cpu', bars.cpuMs, (ms, name) => `${ms} ms of CPU in ${name}, not ${bars.cpuMs}`)
    : [refusal(cost)];
  // Blocks of many requests at once add up: `neighbour` judges what others notice of them.
  const blocks = cost.senders > 1 ? {} : cost.blockMs;
  return [...work, ...blocksOver(blocks, bars.blockMs), ...memory(cost.peakMb), kept(cost), ...losses(cost)];
};

export const strainsOf = (cost: Cost): Strain[] =>
  (cost.waitedMs ? strainsOfRoad(cost) : strainsOfOne(cost)).toSorted((a, b) => b.share - a.share);

export const worstShare = (cost: Cost): number => strainsOf(cost)[0]?.share ?? 0;

export const brokenBars = (cost: Cost): Strain[] => strainsOf(cost).filter(({ share }) => share > 1);

/** It was too much, and cost nothing. */
export const isRefused = ({ status, refusedSteps, skipped = 0 }: Cost): boolean =>
  (status >= 400 && status < 500) || refusedSteps + skipped > 0;

const lowest = (all: readonly Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [name, Math.min(...all.map((one) => one[name] ?? 0))]),
  );

export const highest = (all: readonly Record<string, number>[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const [name, value] of all.flatMap((one) => Object.entries(one)))
    found[name] = Math.max(found[name] ?? 0, value);
  return found;
};

/**
 * The same request sent several times: noise only adds, so the lowest figure is the nearest. Memory is no noise, and a process that
 * keeps what it took does not take it again: there the highest counts. What was lost counts once.
 */
export const leastOf = (costs: readonly [Cost, ...Cost[]]): Cost => ({
  ...costs[0],
  cpuMs: lowest(costs.map(({ cpuMs }) => cpuMs)),
  blockMs: lowest(costs.map(({ blockMs }) => blockMs)),
  peakMb: highest(costs.map(({ peakMb }) => peakMb)),
  keptBytes: Math.min(...costs.map(({ keptBytes }) => keptBytes)),
  died: [...new Set(costs.flatMap(({ died }) => died))],
  deadLetters: Math.max(...costs.map(({ deadLetters }) => deadLetters)),
  isSettled: costs.every(({ isSettled }) => isSettled),
  ...(costs[0].waitedMs && { waitedMs: lowest(costs.map(({ waitedMs = {} }) => waitedMs)) }),
});
