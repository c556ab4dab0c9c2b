/** Deletions in the audit log, with the key that asked for them: one row for each request, however often its job comes. */
import { type AcceptedRequest, isJsonObject, operationById } from '@roster/contract';
import type { AuditEntry, Store } from '@roster/store';
import { isDeletion } from './is-deletion.ts';

/** Entries refused by the ingress are error codes. */
const peopleIn = ({ op, body }: AcceptedRequest): number => {
  if (!isJsonObject(body)) return 0;
  const lists = (operationById(op)?.entries ?? []).map(({ array }) => body[array]).filter(Array.isArray);
  return lists.reduce((sum, list) => sum + list.filter(isJsonObject).length, 0);
};

const entryOf = (request: AcceptedRequest): AuditEntry => ({
  at: request.at,
  by: request.by === undefined ? 'unknown' : `key:${request.by}`,
  what: 'people.deleted',
  target: request.ws,
  request: request.id,
  set: { asked: peopleIn(request) },
});

/** Runs after the batch is applied. When it fails, the batch is tried again, its marks show that it is applied, and this step repeats. */
export const recordDeletions = async (
  { audit, transact }: Pick<Store, 'audit' | 'transact'>,
  requests: readonly AcceptedRequest[],
): Promise<void> => {
  const deletions = requests.filter(isDeletion);
  if (deletions.length === 0) return;
  const ids = deletions.map(({ id }) => id);
  await transact(async (session) => {
    const known = await audit.known(session, ids);
    await audit.append(session, ...deletions.filter(({ id }) => !known.has(id)).map(entryOf));
  });
};
