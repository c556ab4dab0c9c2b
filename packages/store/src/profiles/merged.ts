/** Service ids whose profiles were merged away. The kept profile lists them for ever; a tombstone would expire. */
import { grouped, identityKey, type Profile } from '@roster/profile';
import type { Session } from '../connection/db.ts';
import type { CollectionsOf } from '../models/models.ts';

export interface ServiceId {
  ws: string;
  id: string;
}

/** By identity key, the service id of the kept profile. */
export const readMerged = async (
  { profiles }: CollectionsOf<'profiles'>,
  session: Session,
  wanted: readonly ServiceId[],
): Promise<Map<string, string>> => {
  const merged = new Map<string, string>();
  for (const [ws, all] of grouped(wanted, (one) => one.ws)) {
    const ids = all.map(({ id }) => id);
    const projection = { absorbed: { $setIntersection: ['$absorbed', ids] } };
    const keepers = profiles.find<Required<Pick<Profile, '_id' | 'absorbed'>>>(
      { ws, absorbed: { $in: ids } },
      { session, projection, batchSize: ids.length + 1 },
    );
    for (const { _id, absorbed } of await keepers.toArray())
      for (const id of absorbed) merged.set(identityKey(ws, { by: 'service_id', id }), _id);
  }
  return merged;
};
