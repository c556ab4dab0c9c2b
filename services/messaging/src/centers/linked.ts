/** The preference centers that a text links to by name: `{{preference_center.${news}}}`. */
import { defaultCenterId } from '@roster/contract';
import type { Session, Store } from '@roster/store';
import { linkedCenterUnknown } from '../refusals.ts';

type LinkedStores = Pick<Store, 'preferenceCenters'>;

interface Linking {
  ws: string;
  centers: readonly string[];
}

/** Ids by name. A center of which no page can be opened (any more) is the default one: nobody gets a link that leads nowhere. */
export const linkedCenters = async ({ preferenceCenters }: LinkedStores, { ws, centers }: Linking) => {
  if (centers.length === 0) return new Map();
  const found = await preferenceCenters
    .find({ ws, name: { $in: [...centers] }, state: 'active' }, { projection: { name: 1 } })
    .toArray();
  const ids = new Map(found.map(({ _id, name }) => [name, _id]));
  return new Map(centers.map((name) => [name, ids.get(name) ?? defaultCenterId]));
};

/** Throws where a name is that of no active preference center. Their names never change, and none is deleted. */
export const assertLinkable = async (
  { preferenceCenters }: LinkedStores,
  session: Session,
  { ws, centers }: Linking,
  code: Parameters<typeof linkedCenterUnknown>[0],
): Promise<void> => {
  if (centers.length === 0) return;
  const active = { ws, state: 'active' } as const;
  const found = await preferenceCenters.find(active, { session, projection: { name: 1 } }).toArray();
  const known = [...new Set([defaultCenterId, ...found.map(({ name }) => name).toSorted()])];
  const unknown = centers.find((name) => !known.includes(name));
  if (unknown !== undefined) throw linkedCenterUnknown(code, unknown, known);
};
