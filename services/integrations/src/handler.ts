/** The two kinds of handlers. */
import type { Connection } from '@roster/access';
import type { Handler as AnyHandler, Write } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import type { Store } from '@roster/store';

export interface Tools {
  store: Store;
  /** A connection of the workspace. */
  connectionOf(ws: string, id: string): Promise<Connection | undefined>;
}

export type Change = (request: AcceptedRequest, tools: Tools) => Write;

export interface Shown {
  body: object;
  /** The value of the header `Link`. */
  link?: string;
}

export type Read = (request: AcceptedRequest, tools: Tools) => Promise<Shown>;

export type Handler = AnyHandler<Tools, Shown>;
