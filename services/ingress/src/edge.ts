import type { Directory } from '@roster/access';
import type { Judge } from '@roster/contract';
import type { Pressure, Producer } from '@roster/queue';
import type { Log } from '@roster/runtime';
import type { Limiter } from './limiter.ts';

/** All that the handlers of the edge work with. */
export interface Edge {
  directory: Directory;
  limiter: Limiter;
  pressure: Pressure;
  producer: Producer;
  judge: Judge;
  log: Log;
  resultTimeoutMs: number;
  draining(): boolean;
  observe(
    operation: string,
    status: number,
    ms: number,
    passage: { id?: string; ws?: string; entries: number },
  ): void;
}
