/** What the judge accepted. This is the one place that believes the body. */
import type { AcceptedRequest, EntryError } from '@roster/contract';

export interface Body {
  [array: string]: unknown;
  /** What was refused before it came here. */
  errors?: EntryError[];
  merge_behavior?: 'none' | 'merge' | null;
}

export const bodyOf = ({ body }: AcceptedRequest): Body => (body ?? {}) as Body;

/** Refused before they came here. */
export const refusedBefore = (request: AcceptedRequest): EntryError[] => bodyOf(request).errors ?? [];
