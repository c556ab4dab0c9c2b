/** What includes a block. Whatever else includes blocks one day is looked up here as well. */
import type { Session, Store } from '@roster/store';

export interface Inclusion {
  type: 'content_block';
  id: string;
  name: string;
}

type Stores = Pick<Store, 'content'>;

/** By name. */
export const inclusionsOf = async (
  { content }: Stores,
  ws: string,
  name: string,
  session?: Session,
): Promise<Inclusion[]> => {
  const options = { projection: { name: 1 }, ...(session && { session }) };
  const blocks = content.blocks.find({ ws, includes: name }, options).sort({ _id: 1 });
  return (await blocks.toArray()).map((block) => ({
    type: 'content_block',
    id: block._id,
    name: block.name,
  }));
};

/** How much includes each of these. */
export const countInclusions = async (
  { content }: Stores,
  ws: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const wanted = { includes: { $in: [...names] } };
  const counted = content.blocks.aggregate<{ _id: string; count: number }>([
    { $match: { ws, ...wanted } },
    { $project: { includes: 1 } },
    { $unwind: '$includes' },
    { $match: wanted },
    { $group: { _id: '$includes', count: { $sum: 1 } } },
  ]);
  return new Map((await counted.toArray()).map(({ _id, count }) => [_id, count]));
};
