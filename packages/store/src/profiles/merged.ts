/** Service ids whose profiles were merged away. The kept profile lists them for ever; a tombstone would expire. */
import { identityKey, type Profile } from '@roster/profile';
import type { Collection, Session } from '../connection/db.ts';

export interface ServiceId {
  ws: string;
  id: string;
}

interface MergedStores {
  profiles: Collection<Profile>;
}

const byWorkspace = (wanted: readonly ServiceId[]): Map<string, string[]> => {
  const ids = new Map<string, string[]>();
  for (const { ws, id } of wanted) ids.set(ws, [...(ids.get(ws) ?? []), id]);
  return ids;
};

/** By identity key, the service id of the kept profile. */
export const readMerged = async (
  { profiles }: MergedStores,
  session: Session,
  wanted: readonly ServiceId[],
): Promise<Map<string, string>> => {
  const merged = new Map<string, string>();
  for (const [ws, ids] of byWorkspace(wanted)) {
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
