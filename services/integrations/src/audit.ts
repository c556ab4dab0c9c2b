/** What callers did to integrations, in the audit log. */
import type { AcceptedRequest } from '@roster/contract';
import { type Deed, recordChange } from '@roster/integrations';
import type { Session, Store } from '@roster/store';

interface Change {
  deed: Deed;
  integration: string;
  /** The names of what was changed. */
  fields?: readonly string[];
}

export const record = (
  store: Pick<Store, 'audit'>,
  { id: request, ws, at, by, from = 'unknown' }: AcceptedRequest,
  change: Change,
  session: Session,
): Promise<void> => {
  const actor = by === undefined ? 'unknown' : `key:${by}`;
  return recordChange(store, { ...change, ws, at, by: actor, from, request }, session);
};

/** What the caller of a change did. */
export const deedOf = (paused: boolean | undefined): Deed => {
  if (paused === undefined) return 'changed';
  return paused ? 'paused' : 'resumed';
};
