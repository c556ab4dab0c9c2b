import type { Directory } from '@roster/access';
import type { Pressure, Producer } from '@roster/queue';
import type { Log, SecurityEvent } from '@roster/runtime';
import type { ReadBody } from './body.ts';
import type { Limiter } from './limiter.ts';
import type { Linger } from './linger.ts';
import type { Pay } from './meter.ts';
import type { Passage } from './passage.ts';
import type { Rooms } from './rooms.ts';
import type { Turns } from './turns.ts';
import type { CountedBody, Understand } from './understand.ts';

/** All that the handlers of the edge work with. */
export interface Edge {
  directory: Directory;
  limiter: Limiter;
  pay: Pay;
  rooms: Rooms;
  turns: Turns;
  readBody: ReadBody;
  understand: Understand;
  /** Large bodies are understood in a thread of their own. */
  understandLarge: Understand;
  /** For an operation without a body. */
  nothing: CountedBody;
  pressure: Pressure;
  producer: Producer;
  log: Log;
  resultTimeoutMs: number;
  draining(): boolean;
  linger: Linger;
  /** Receives security events. */
  note(event: SecurityEvent): void;
  observe(operation: string, status: number, ms: number, passage: Passage): void;
}
