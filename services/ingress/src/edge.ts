import type { Directory } from '@roster/access';
import type { Judge } from '@roster/contract';
import type { Pressure, Producer } from '@roster/queue';
import type { Log, SecurityEvent } from '@roster/runtime';
import type { ReadBody } from './body.ts';
import type { Release } from './budget.ts';
import type { Limiter, Standing } from './limiter.ts';
import type { Linger } from './linger.ts';
import type { Pay } from './meter.ts';
import type { Rooms } from './rooms.ts';
import type { Bounds } from './understand.ts';

/** What is learned of a request on its way through; the answer and the log line are written from it. */
export interface Passage {
  /** Given when the request is accepted. */
  id?: string;
  ws?: string;
  /** The id of the API key or SCIM token that was used, once it is known to be good. */
  by?: string;
  /** Why a real key or token may not be used: for the security log. */
  refusal?: string;
  entries: number;
  standing?: Standing | undefined;
  /** Points that were paid, or asked for in vain. */
  price: number;
  /** Where the workspace stands with its points. */
  work?: Standing | undefined;
  /** Room that the body takes, until the request is committed or refused. */
  held: Release[];
  /** The place to wait for a reply. */
  seat?: Release | undefined;
}

/** All that the handlers of the edge work with. */
export interface Edge {
  directory: Directory;
  limiter: Limiter;
  pay: Pay;
  rooms: Rooms;
  readBody: ReadBody;
  bounds: Bounds;
  pressure: Pressure;
  producer: Producer;
  judge: Judge;
  log: Log;
  resultTimeoutMs: number;
  draining(): boolean;
  /** Nothing when early answers are cut off, which only a fault test wants. */
  linger: Linger;
  /** Receives security events. */
  note(event: SecurityEvent): void;
  observe(operation: string, status: number, ms: number, passage: Passage): void;
}
