import type { Fetch } from './attempt.ts';
import { createBatch } from './batch/batch.ts';
import type { Batch, BatchOptions } from './batch/types.ts';
import type { CallOptions, Sent } from './call-options.ts';
import type { Calls } from './calls.ts';
import type { Middleware } from './middleware.ts';
import { createSend, type Settings } from './send.ts';
import type { Known } from './table.ts';
import { createCallById, createTree } from './tree.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

export interface RosterOptions {
  /** Address of the service, such as `https://roster.example.com`. */
  url: string;
  /** An API key of the workspace: for all operations but those of SCIM. */
  key?: string;
  /** For the operations of SCIM: the token of the company, and the origin that it belongs to. */
  scim?: { token: string; origin: string };
  /** Seconds that one attempt may take; 30 unless said. */
  timeout?: number;
  /** Seconds, from the first attempt on, in which a next one may begin; 60 unless said. 0: none, but one more when the connection breaks. */
  retryFor?: number;
  /** The secret of the webhooks that are received: see `WebhookOptions.secret`. */
  webhookSecret?: string | readonly string[];
  /** Stands around each attempt, the first one outermost. */
  use?: readonly Middleware[];
  /** Instead of the global one. */
  fetch?: Fetch;
}

/** A client of one workspace, or company. */
export interface Roster extends Calls {
  /** Collects entries of many callers into full requests. */
  batch(options?: BatchOptions): Batch;
  readonly webhooks: Webhooks;
  /** An operation by its id: what is sent and answered is not typed. */
  call(id: string, sent?: Sent, options?: CallOptions): Promise<object>;
}

const headersFor =
  ({ key, scim }: RosterOptions): Settings['headersFor'] =>
  (row: Known) => {
    if (!row.scim) {
      if (key === undefined) throw new TypeError(`${row.id} needs the option 'key'`);
      return { authorization: `Bearer ${key}` };
    }
    if (!scim) throw new TypeError(`${row.id} needs the option 'scim'`);
    return { authorization: `Bearer ${scim.token}`, 'x-request-origin': scim.origin };
  };

const createRoster = (options: RosterOptions): object => {
  const { timeout = 30, retryFor = 60, use = [], fetch = globalThis.fetch } = options;
  const url = new URL(options.url).href.replace(/\/+$/, '');
  // A fetch of the platform asks to be called without an object.
  const send = createSend({
    fetch: (address, init) => fetch(address, init),
    headersFor: headersFor(options),
    use,
    timeout,
    retryFor,
  });
  return Object.assign(createTree(url, send), {
    webhooks: createWebhooks(options.webhookSecret),
    call: createCallById(url, send),
    batch: (more?: BatchOptions) => createBatch(url, send, more),
  });
};

/** `new Roster({ url, key })` */
export const Roster: new (options: RosterOptions) => Roster = function Roster(
  this: unknown,
  options: RosterOptions,
) {
  return createRoster(options);
} as unknown as new (
  options: RosterOptions,
) => Roster;
