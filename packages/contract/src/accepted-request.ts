import type { OperationId } from './operations/index.ts';
import type { Query } from './types.ts';

/** A request on its way from the ingress to its worker. */
export interface AcceptedRequest {
  /** `r` + stamp + `-` + check characters: says when it was accepted. */
  id: string;
  /** Workspace. */
  ws: string;
  op: OperationId;
  /** Stamp: strictly rising microseconds, the order of record. */
  at: number;
  /** The body holds numbers that are texts on their way: `unpackExact` makes them numbers again. */
  exact?: true;
  /** What the judge accepted; for `users.track` a TrackAccepted. */
  body?: unknown;
  params?: Record<string, string>;
  query?: Query;
  /** Those that the operation declares, by their names in lower case. */
  headers?: Record<string, string>;
  /** The id of the SCIM token that was used; of an API key only where the operation is recorded in the audit log, or signed. */
  by?: string;
  /** The network of the caller, never the whole address; only where the operation is signed. */
  from?: string;
  /** The level of its worker, above the first one: see level.ts. */
  needs?: number;
  /** Stamp of a repetition under the same idempotency key: the caller waits since then, and `at` is the stamp of the first attempt. */
  again?: number;
  /** Mailbox of the ingress that waits for the result. */
  reply?: string;
}
