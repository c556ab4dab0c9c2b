/** Who has made, changed, paused, deleted or synced an integration, and from where: a row of the audit log, in the transaction of the change. */
import type { Session, Store } from '@roster/store';

export type Deed = 'created' | 'changed' | 'paused' | 'resumed' | 'deleted' | 'synced';

interface Change {
  deed: Deed;
  integration: string;
  ws: string;
  /** Microseconds since the epoch. */
  at: number;
  /** As the audit log names actors: `key:<id>`, `cli:<account>`. */
  by: string;
  /** A network, a machine, or `service`. */
  from: string;
  request?: string;
  /** The names of what was changed. */
  fields?: readonly string[];
}

export const recordChange = (
  { audit }: Pick<Store, 'audit'>,
  { deed, integration: target, ws, from, fields, ...rest }: Change,
  session: Session,
): Promise<void> =>
  audit.append(session, {
    ...rest,
    what: `integration.${deed}`,
    target,
    ...(fields && { fields: [...fields] }),
    set: { ws, from },
  });

/** What nobody has asked for. */
export const byService = { by: 'service:integrations', from: 'service' } as const;
