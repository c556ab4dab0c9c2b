/** Deletions in the audit log, with the key that asked for them: one row for each request, however often its job comes. */
import { type AcceptedRequest, operationById, peopleNamed } from '@roster/contract';
import type { AuditEntry, Store } from '@roster/store';

const isRecorded = ({ op }: AcceptedRequest): boolean => operationById(op)?.recorded === 'people.deleted';

const entryOf = (request: AcceptedRequest): AuditEntry => ({
  at: request.at,
  by: request.by === undefined ? 'unknown' : `key:${request.by}`,
  what: 'people.deleted',
  target: request.ws,
  request: request.id,
  set: { asked: peopleNamed(request.op, request.body).length },
});

/** Runs after the batch is applied. When it fails, the batch is tried again, its marks show that it is applied, and this step repeats. */
export const recordDeletions = async (
  { audit, transact }: Pick<Store, 'audit' | 'transact'>,
  requests: readonly AcceptedRequest[],
): Promise<void> => {
  const deletions = requests.filter(isRecorded);
  if (deletions.length === 0) return;
  const ids = deletions.map(({ id }) => id);
  await transact(async (session) => {
    const known = await audit.known(session, ids);
    await audit.append(session, ...deletions.filter(({ id }) => !known.has(id)).map(entryOf));
  });
};
