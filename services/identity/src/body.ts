/** The accepted body. Only this file trusts its type. */
import type { AcceptedRequest, EntryError } from '@roster/contract';

export interface IdentityBody {
  [array: string]: unknown;
  /** Refused by the ingress. */
  errors?: EntryError[];
  merge_behavior?: 'none' | 'merge' | null;
}

export const bodyOf = ({ body }: AcceptedRequest): IdentityBody => (body ?? {}) as IdentityBody;

/** Entries refused by the ingress. */
export const refusedBefore = (request: AcceptedRequest): EntryError[] => bodyOf(request).errors ?? [];
