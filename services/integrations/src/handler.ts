/** What the handlers of this service work with. */
import type { Connection } from '@roster/access';
import type { Handler as AnyHandler, Shown, Write } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import type { Store } from '@roster/store';

export interface Tools {
  store: Store;
  /** A connection of the workspace. */
  connectionOf(ws: string, id: string): Promise<Connection | undefined>;
}

export type Change = (request: AcceptedRequest, tools: Tools) => Promise<Write>;

export type Show = (request: AcceptedRequest, tools: Tools) => Promise<Shown>;

export type Handler = AnyHandler<Tools>;
