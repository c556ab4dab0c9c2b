import type { Figure } from './figure.ts';
import type { LoadReport, LoadSpec } from './load/spec.ts';
import type { System } from './system.ts';

/** What every bench is given: one running system, a load generator, and how long to look. */
export interface Setting {
  system: System;
  runs: number;
  /** Seconds of load in each run. */
  seconds: number;
  quick: boolean;
  /** Load on the system's `/users/track`; fails when an answer was not 2xx. */
  load(spec: Omit<LoadSpec, 'url' | 'apiKey'>): Promise<LoadReport>;
  /** The same on another address. */
  loadAt(url: string, spec: Omit<LoadSpec, 'url' | 'apiKey'>): Promise<LoadReport>;
  say(line: string): void;
  /** Runs when the row is measured, last registered first. */
  atEnd(undo: () => unknown): void;
  /** The growth ends there. */
  mostEvents?: number | undefined;
  /** So many people exist at the end of the row about people. */
  mostPeople?: number | undefined;
}

export interface Bench {
  name: string;
  /** Of MongoDB; else so much that nothing is read from the disk. */
  cacheGb?: number;
  measure(setting: Setting): Promise<Figure[]>;
}
