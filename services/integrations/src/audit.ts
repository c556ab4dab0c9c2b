/** Who has made, changed, paused, deleted or synced an integration, and from where: a row of the audit log, in the transaction of the change. */
import type { AcceptedRequest } from '@roster/contract';
import type { Session, Store } from '@roster/store';

type Deed = 'created' | 'changed' | 'paused' | 'resumed' | 'deleted' | 'synced';

interface Change {
  deed: Deed;
  integration: string;
  /** The names of what was changed. */
  fields?: readonly string[];
}

export const record = (
  { audit }: Pick<Store, 'audit'>,
  { id: request, ws, at, by, from = 'unknown' }: AcceptedRequest,
  { deed, integration: target, fields }: Change,
  session: Session,
): Promise<void> =>
  audit.append(session, {
    at,
    by: by === undefined ? 'unknown' : `key:${by}`,
    what: `integration.${deed}`,
    target,
    request,
    ...(fields && { fields: [...fields] }),
    set: { ws, from },
  });

/** What the caller of a change did. */
export const deedOf = (paused: boolean | undefined): Deed => {
  if (paused === undefined) return 'changed';
  return paused ? 'paused' : 'resumed';
};
