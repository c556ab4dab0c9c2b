/** The people whom recipients name: by the names that they have, or had when the schedule was made. */
import type { Recipients } from '@roster/contract';
import { type DeliveryDocument, listedIn, type Store } from '@roster/store';

/** The kept people by service ids that they absorbed. */
export const keptOf = async (
  { profiles }: Pick<Store, 'profiles'>,
  ws: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const found = await profiles
    .find({ ws, absorbed: { $in: [...ids] } }, { projection: { absorbed: 1 } })
    .toArray();
  return new Map(found.flatMap(({ _id, absorbed = [] }) => absorbed.map((id) => [id, _id] as const)));
};

export type ListedStore = Pick<Store, 'ownersOf' | 'tombstones' | 'profiles'>;

export const isListed = ({ external_user_ids = [], user_aliases = [] }: Recipients): boolean =>
  external_user_ids.length + user_aliases.length > 0;

/**
 * Service ids by the key of each name. Who lost a name to a merge since the schedule was made stands here under the id from before and under
 * that of the kept person: the kept one alone could be passed over where the merge comes between two pages. `followMerges` makes one of them.
 */
export const createListed =
  (store: ListedStore) =>
  async ({ ws, created }: Pick<DeliveryDocument, 'ws' | 'created'>, recipients: Recipients) => {
    const keys = listedIn(ws, recipients);
    const owners = await store.ownersOf(keys);
    const lost = keys.filter((key) => {
      const owner = owners.get(key);
      return !owner || (owner.moved ?? 0) >= created;
    });
    const fates = await store.tombstones.fatesOf(lost);
    const beforeOf = (key: string): string[] => {
      const last = fates.get(key)?.at(-1);
      return last?.to !== undefined && last.at >= created ? [last.to] : [];
    };
    const kept = await keptOf(store, ws, lost.flatMap(beforeOf));
    return new Map(
      keys.map((key) => {
        const [now, before] = [owners.get(key)?.profile ?? [], beforeOf(key)];
        return [key, [now, before, before.map((id) => kept.get(id) ?? [])].flat(2)] as const;
      }),
    );
  };
