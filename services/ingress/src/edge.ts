import type { Directory } from '@roster/access';
import type { Judge } from '@roster/contract';
import type { Pressure, Producer } from '@roster/queue';
import type { Log } from '@roster/runtime';
import type { Limiter, Standing } from './limiter.ts';

/** What is learned of a request on its way through; the answer and the log line are written from it. */
export interface Passage {
  /** Given when the request is accepted. */
  id?: string;
  ws?: string;
  /** The SCIM token that was used. */
  by?: string;
  entries: number;
  standing?: Standing | undefined;
}

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
  observe(operation: string, status: number, ms: number, passage: Passage): void;
}
