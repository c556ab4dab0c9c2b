/** What includes a block. Whatever else includes blocks one day is looked up here as well. */
import type { ContentBlockDocument, Session, Store } from '@roster/store';

export interface Inclusion {
  type: 'content_block' | 'preference_center';
  id: string;
  name: string;
}

type Included = Pick<ContentBlockDocument, 'ws' | 'name'>;

type InclusionStores = Pick<Store, 'content' | 'preferenceCenters'>;

/** By name. `ofBlocks`: people see all preference centers, and active blocks. */
export const inclusionsOf = async (
  { content, preferenceCenters }: InclusionStores,
  { ws, name }: Included,
  session?: Session,
  ofBlocks: { state?: 'active' } = {},
): Promise<Inclusion[]> => {
  const options = { projection: { name: 1 }, ...(session && { session }) };
  const wanted = { ws, includes: name };
  const blocks = await content.blocks
    .find({ ...wanted, ...ofBlocks }, options)
    .sort({ _id: 1 })
    .toArray();
  const centers = await preferenceCenters.find(wanted, options).sort({ _id: 1 }).toArray();
  return [
    ...blocks.map((one) => ({ type: 'content_block' as const, id: one._id, name: one.name })),
    ...centers.map((one) => ({ type: 'preference_center' as const, id: one._id, name: one.name })),
  ];
};

const mostSchedules = 10;

/** Ids of schedules that wait or are being sent, and include the block; not more of them than anybody reads. */
export const schedulesWith = async ({ messages }: Store, session: Session, { ws, name }: Included) => {
  const found = await messages.schedules
    .find({ ws, includes: name, state: { $in: ['waiting', 'sending'] } }, { session, projection: { _id: 1 } })
    .limit(mostSchedules)
    .toArray();
  return found.map(({ _id }) => _id);
};

/** How much includes each of these. */
export const countInclusions = async (
  { content, preferenceCenters }: InclusionStores,
  ws: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (names.length === 0) return new Map();
  const wanted = { includes: { $in: [...names] } };
  const pipeline = [{ $match: { ws, ...wanted } }, { $project: { includes: 1 } }];
  const counted = content.blocks.aggregate<{ _id: string; count: number }>([
    ...pipeline,
    { $unionWith: { coll: preferenceCenters.collectionName, pipeline } },
    { $unwind: '$includes' },
    { $match: wanted },
    { $group: { _id: '$includes', count: { $sum: 1 } } },
  ]);
  return new Map((await counted.toArray()).map(({ _id, count }) => [_id, count]));
};
