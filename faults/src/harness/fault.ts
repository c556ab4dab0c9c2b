import type { System, SystemOptions } from './system.ts';

/** What a trial saw: figures for the reader, and each promise that was broken, in words. */
export interface Findings {
  figures: Record<string, number | string>;
  broken: string[];
  /** Of a trial that takes one. */
  seed?: number;
}

/** Of several trials as of one. */
export const together = (all: readonly Findings[]): Findings => ({
  figures: Object.assign({}, ...all.map(({ figures }) => figures)),
  broken: all.flatMap(({ broken }) => broken),
});

/** What a trial is given. Whatever it starts is stopped when it ends. */
export interface Trial {
  /** True in CI: fewer requests, shorter outages, the same checks. */
  quick: boolean;
  /** True in the gate: the smallest trial, of a fixed amount of work. It counts, and judges no time. */
  counting: boolean;
  /** The seed that the command line asks for, to play again what was played before, or else this one. The result tells it. */
  seedOr(usual: number): number;
  /** Asked for on the command line: so many random histories. */
  histories?: number;
  /** Likewise: these rows of it, and no others. */
  rows?: readonly string[];
  say(line: string): void;
  /** An empty folder. */
  folder(): string;
  system(options?: SystemOptions): Promise<System>;
  /** What is opened is closed when the trial is over. */
  opened<Open extends { close(): unknown }>(opening: Promise<Open>): Promise<Open>;
  /** Runs when the trial is over, last registered first. */
  atEnd(undo: () => unknown): void;
}

/** The same trial with one protection off. */
export interface Control {
  /** The protection that is off. */
  without: string;
  /** The promise that must break then, as its sentence in the findings reads. Another broken promise does not count. */
  breaks: RegExp;
  run(trial: Trial): Promise<Findings>;
}

/** One thing that goes wrong, and what must hold all the same. */
export interface Fault {
  name: string;
  title: string;
  /** It judges seconds: it comes after most of the others, with one beside it. */
  inPairs?: true;
  /** It judges milliseconds, so it needs the machine for itself: it comes last. */
  alone?: true;
  /** Its promises about time, as their sentences read. When nothing else is broken it is tried again: a busy machine is slow once, a fault each time. */
  timing?: RegExp;
  /** One of those that the gate runs: it has a trial that only counts. */
  inGate?: true;
  /** Not among the short trials unless it is named: it takes too long, and a machine without other work. */
  onlyByName?: true;
  /** Of the trial and of its control each, when the usual quarter of an hour is not enough. */
  limitMinutes?: number;
  /** Says why it can't be tried on this machine. */
  skip?(): string | undefined;
  run(trial: Trial): Promise<Findings>;
  /** A test that can't fail proves nothing: no fault is without one. */
  control: Control;
}

/** A fault that is tried in one way, and for the control in the other: with one protection off. */
export const faultOf = <How>(
  attempt: (trial: Trial, how: How) => Promise<Findings>,
  [how, unprotected]: readonly [how: How, unprotected: How],
  { without, breaks, ...words }: Omit<Fault, 'run' | 'control'> & Omit<Control, 'run'>,
): Fault => ({
  ...words,
  run: (trial) => attempt(trial, how),
  control: { without, breaks, run: (trial) => attempt(trial, unprotected) },
});
