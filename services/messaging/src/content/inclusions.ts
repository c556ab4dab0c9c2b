/** What includes a block. Whatever else includes blocks one day is looked up here as well. */
import type { ContentBlockDocument, Session, Store } from '@roster/store';

export interface Inclusion {
  type: 'content_block' | 'preference_center';
  id: string;
  name: string;
}

type Included = Pick<ContentBlockDocument, 'ws' | 'name'>;

type InclusionStores = Pick<Store, 'content' | 'preferenceCenters'>;

/** By name. */
export const inclusionsOf = async (
  { content, preferenceCenters }: InclusionStores,
  ws: string,
  name: string,
  session?: Session,
): Promise<Inclusion[]> => {
  const options = { projection: { name: 1 }, ...(session && { session }) };
  const wanted = { ws, includes: name };
  const blocks = await content.blocks.find(wanted, options).sort({ _id: 1 }).toArray();
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

/** The first of them that people see: a preference center, or an active block. */
export const shownInclusion = async (
  { content, preferenceCenters }: InclusionStores,
  session: Session,
  { ws, name }: Included,
): Promise<Pick<Inclusion, 'type' | 'name'> | undefined> => {
  const options = { session, projection: { name: 1 } };
  const block = await content.blocks.findOne({ ws, includes: name, state: 'active' }, options);
  if (block) return { type: 'content_block', name: block.name };
  const center = await preferenceCenters.findOne({ ws, includes: name }, options);
  return center ? { type: 'preference_center', name: center.name } : undefined;
};

/** How much includes each of these. */
export const countInclusions = async (
  { content, preferenceCenters }: InclusionStores,
  ws: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const wanted = { includes: { $in: [...names] } };
  const steps = [
    { $match: { ws, ...wanted } },
    { $project: { includes: 1 } },
    { $unwind: '$includes' },
    { $match: wanted },
    { $group: { _id: '$includes', count: { $sum: 1 } } },
  ];
  type Counted = { _id: string; count: number };
  const counted =
    names.length === 0
      ? []
      : await Promise.all([
          content.blocks.aggregate<Counted>(steps).toArray(),
          preferenceCenters.aggregate<Counted>(steps).toArray(),
        ]);
  const counts = new Map<string, number>();
  for (const { _id, count } of counted.flat()) counts.set(_id, (counts.get(_id) ?? 0) + count);
  return counts;
};
