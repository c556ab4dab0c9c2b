/** Removes what is kept of rows: of integrations that were deleted, and under settings that were changed. */
import type { IntegrationDocument, Session, Store } from '@roster/store';
import { type Lease, LeaseLost } from './lease.ts';

export const forgetDeleted = async ({ syncs }: Pick<Store, 'syncs'>): Promise<void> => {
  for (const collection of [syncs.chunks, syncs.kept, syncs.rows, syncs.retries]) {
    const ids: string[] = await collection.distinct('integration', {});
    if (ids.length === 0) continue;
    const there = await syncs.integrations.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(there.map(({ _id }) => _id));
    for (const integration of ids.filter((id) => !known.has(id)))
      await collection.deleteMany({ integration });
  }
};

/** Documents of a transaction. */
const atOnce = 1_000;

/** What is kept of the rows under settings of before. A job removes it before it reads, and only while the job is its own. */
export const forgetStale = async (
  store: Pick<Store, 'syncs' | 'transact'>,
  { mine }: Pick<Lease, 'mine'>,
  { _id: integration, stale }: IntegrationDocument,
): Promise<void> => {
  if (!stale) return;
  const { chunks, kept, retries, jobs, integrations } = store.syncs;
  const inLease = (write: (session: Session) => Promise<unknown>): Promise<void> =>
    store.transact(async (session) => {
      if (!(await jobs.findOne(mine, { session, projection: { _id: 1 } }))) throw new LeaseLost();
      await write(session);
    });
  for (const collection of [chunks, kept, retries]) {
    const filter = { integration, ...(collection === chunks && { state: 'done' as const }) };
    const find = () => collection.find(filter, { projection: { _id: 1 }, limit: atOnce }).toArray();
    for (let found = await find(); found.length > 0; found = await find()) {
      const _id = { $in: found.map((one) => one._id) };
      await inLease((session) => collection.deleteMany({ _id }, { session }));
    }
  }
  await inLease((session) =>
    integrations.updateOne({ _id: integration }, { $unset: { stale: 1 } }, { session }),
  );
};
