/** Removes what is kept of the rows of integrations that were deleted. */
import type { Store } from '@roster/store';

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
