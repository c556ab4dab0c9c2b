/** What the handlers of this service work with. */
import type { Connection } from '@roster/access';
import type { Handler as AnyHandler, ReadResult, Write } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import type { Store } from '@roster/store';

export interface IntegrationTools {
  store: Store;
  /** A connection of the workspace. */
  connectionOf(ws: string, id: string): Promise<Connection | undefined>;
}

export type IntegrationChange = (request: AcceptedRequest, tools: IntegrationTools) => Promise<Write>;

export type Show = (request: AcceptedRequest, tools: IntegrationTools) => Promise<ReadResult>;

export type IntegrationHandler = AnyHandler<IntegrationTools>;
