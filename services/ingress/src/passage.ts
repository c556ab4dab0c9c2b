import type { Permission } from '@roster/contract';
import type { Release } from './budget.ts';
import type { Standing } from './limiter.ts';

/** The facts about a request that are collected on its way; the answer and the log line are written from them. */
export interface Passage {
  /** Given when the request is accepted. */
  id?: string;
  ws?: string;
  /** The id of the API key or SCIM token that was used, once it is known to be good. */
  by?: string;
  /** The network of the caller. */
  from?: string | undefined;
  /** Whether the key has another permission than that of the operation. */
  mayAlso?(permission: Permission): boolean;
  /** Why a real key or token may not be used: for the security log. */
  refusal?: string;
  entries: number;
  standing?: Standing | undefined;
  /** Points that were paid, or asked for in vain. */
  price: number;
  /** Where the workspace stands with its points. */
  work?: Standing | undefined;
  /** Give back the room of the body, once the request is committed or refused. */
  releases: Release[];
  /** The place to wait for a reply. */
  seat?: Release | undefined;
}
