import type { AcceptedRequest } from '@roster/contract';
import type { Store } from '@roster/store';

export interface Tools {
  store: Store;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** `undefined`: MongoDB knows nothing about it. */
export type Handler = (request: AcceptedRequest, tools: Tools) => Promise<Answer | undefined>;
