import type { Fetch } from './attempt.ts';
import { createBatch } from './batch/batch.ts';
import type { Batch, BatchOptions } from './batch/types.ts';
import type { CallOptions, Sent } from './call-options.ts';
import { positive, refuseOthers, secretOf, urlOf } from './checked.ts';
import { createLog, type LogLine } from './log.ts';
import type { Middleware } from './middleware.ts';
import { createSend, type Send, type Settings } from './send.ts';
import type { Known } from './table.ts';
import { addTree, createCallById } from './tree.ts';
import type { CallsOf, RosterTypes } from './typed.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

export interface RosterOptions {
  /** Address of the service, such as `https://roster.example.com`. */
  url: string;
  /** An API key of the workspace: for all operations but those of SCIM. */
  key?: string | undefined;
  /** For the operations of SCIM: the token of the company, and the origin that it belongs to. */
  scim?: { token: string; origin: string } | undefined;
  /** Seconds that one attempt may take; 30 unless said. */
  timeout?: number | undefined;
  /** Seconds, from the first attempt on, in which a next one may begin; 60 unless said. 0: none, but one more when the connection breaks. */
  retryFor?: number | undefined;
  /** Bytes that one answer may have; 64 MiB unless said. */
  maxAnswerBytes?: number | undefined;
  /** The secret of the webhooks that are received: see `WebhookOptions.secret`. */
  webhookSecret?: string | readonly string[] | undefined;
  /** Gets a line for each failed attempt. With `ROSTER_DEBUG` in the environment, they go to standard error unless said. */
  log?: LogLine | undefined;
  /** Stands around each attempt, the first one outermost. */
  use?: readonly Middleware[] | undefined;
  /** Instead of the global one. */
  fetch?: Fetch | undefined;
}

/** A client of one workspace, or company. */
export type Roster<Mine extends RosterTypes = RosterTypes> = CallsOf<Mine> & {
  /** Collects entries of many callers into full requests. */
  batch(options?: BatchOptions): Batch<Mine>;
  readonly webhooks: Webhooks;
  /** An operation by its id: what is sent and answered is not typed. */
  call(id: string, sent?: Sent, options?: CallOptions): Promise<object>;
};

const headersFor = ({ key, scim }: RosterOptions): Settings['headersFor'] => {
  if (key !== undefined) secretOf('key', key);
  if (scim) secretOf('scim.token', scim.token);
  if (scim) secretOf('scim.origin', scim.origin);
  return (row: Known) => {
    if (!row.scim) {
      if (key === undefined) throw new TypeError(`${row.id} needs the option 'key'`);
      return { authorization: `Bearer ${key}` };
    }
    if (!scim) throw new TypeError(`${row.id} needs the option 'scim'`);
    return { authorization: `Bearer ${scim.token}`, 'x-request-origin': scim.origin };
  };
};

const settingsOf = (options: RosterOptions): Settings => {
  const { url: _url, key: _key, scim: _scim, webhookSecret: _webhookSecret, ...more } = options;
  const { timeout = 30, retryFor = 60, maxAnswerBytes = 64 * 1024 * 1024, use = [], ...rest } = more;
  const { fetch = globalThis.fetch, log, ...others } = rest;
  refuseOthers(others);
  return {
    // A fetch of the platform asks to be called without an object.
    fetch: (address, init) => fetch(address, init),
    headersFor: headersFor(options),
    log: createLog(log),
    use,
    timeout: positive('timeout', timeout),
    retryFor,
    maxAnswerBytes: positive('maxAnswerBytes', maxAnswerBytes),
  };
};

/** `new Roster({ url, key })`. The operations are its own properties; its methods are bound, so that they can be taken out of it. */
export const Roster = class Roster {
  readonly webhooks: Webhooks;
  readonly #url: string;
  readonly #send: Send;

  constructor(options: RosterOptions) {
    this.#url = urlOf(options.url);
    this.#send = createSend(settingsOf(options));
    this.webhooks = createWebhooks(options.webhookSecret);
    addTree(this, this.#url, this.#send);
    for (const name of ['batch', 'call'] as const)
      Object.defineProperty(this, name, { value: this[name].bind(this) });
  }

  batch(options?: BatchOptions): Batch {
    return createBatch(this.#url, this.#send, options);
  }

  call(id: string, sent?: Sent, options?: CallOptions): Promise<object> {
    return createCallById(this.#url, this.#send)(id, sent, options);
  }
} as unknown as new <Mine extends RosterTypes = RosterTypes>(
  options: RosterOptions,
) => Roster<Mine>;
