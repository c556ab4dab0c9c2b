import type { AcceptedRequest } from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Store } from '@roster/store';

export interface Tools {
  store: Store;
  /** With which ids of requests are made. */
  secret: string;
}

/** `undefined`: MongoDB knows nothing about it. */
export type Handler = (request: AcceptedRequest, tools: Tools) => Promise<Reply | undefined>;
