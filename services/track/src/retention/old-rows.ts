/**
 * Finds and removes old occurrences by the index that exports need anyway. An index on time alone would find them too, but every
 * insert would pay for it, and inserts are the most frequent writes (docs/adr/0018).
 */
import type { Collection, EventDocument, PurchaseDocument, RolledUp, Session, Store } from '@roster/store';
import type { OldRow } from './summed.ts';

export type Kind = RolledUp['of'];

/** A profile and its oldest occurrence. */
export interface Oldest {
  profile: string;
  time: Date;
}

interface Group<Value> {
  _id: string;
  value: Value;
}

/** The first occurrence of each profile: one jump in the index for each, however many occurrences there are. */
const firstOf = (field: 'time' | 'ws', match: object) => [
  { $match: match },
  { $sort: { profile: 1, time: 1 } },
  { $group: { _id: '$profile', value: { $first: `$${field}` } } },
];

const isInOrder = (found: readonly Group<unknown>[]): boolean =>
  found.every(({ _id }, n) => n === 0 || (found[n - 1]?._id ?? '') < _id);

const nameOf: Readonly<Record<Kind, string>> = { events: 'name', purchases: 'product_id' };

/** Both kinds have the same members; only the name is called differently. */
export const createOldRows = (store: Pick<Store, Kind>, kind: Kind) => {
  const rows = store[kind] as unknown as Collection<EventDocument & PurchaseDocument>;
  const projection = {
    ws: 1,
    profile: 1,
    time: 1,
    revenue: 1,
    quantity: 1,
    name: `$${nameOf[kind]}`,
  };

  /** Whether MongoDB has jumped in the index so far: then profiles come in its order, and it stops when it has enough. */
  let isJumping = true;

  const firsts = async (after: string, most: number): Promise<Group<Date>[]> => {
    const all = firstOf('time', { profile: { $gt: after } });
    const read = (more: object[]) => rows.aggregate<Group<Date>>([...all, ...more]).toArray();
    if (isJumping) {
      const found = await read([{ $limit: most }]);
      if (isInOrder(found)) return found;
      isJumping = false;
    }
    // With another plan, or several shards, the first ones are any. All are read for each slice, and none is missed.
    return read([{ $sort: { _id: 1 } }, { $limit: most }]);
  };

  return {
    /** The next profiles after that one, in the order of their ids; from the index alone. */
    async slice(after: string, most: number): Promise<Oldest[]> {
      const found = await firsts(after, most);
      return found.map(({ _id, value }): Oldest => ({ profile: _id, time: value }));
    },

    /** The workspaces of profiles; a profile never changes its workspace. */
    async workspacesOf(profiles: readonly string[]): Promise<Map<string, string>> {
      const pipeline = firstOf('ws', { profile: { $in: [...profiles] } });
      const found = await rows.aggregate<Group<string>>(pipeline).toArray();
      return new Map(found.map(({ _id, value }) => [_id, value]));
    },

    read: (session: Session, profiles: readonly string[], edge: Date, most: number): Promise<OldRow[]> =>
      rows
        .find<OldRow>(
          { profile: { $in: [...profiles] }, time: { $lt: edge } },
          { session, projection, limit: most, batchSize: most + 1 },
        )
        .toArray(),

    /** Returns their number. */
    async remove(session: Session, ids: readonly string[]): Promise<number> {
      return (await rows.deleteMany({ _id: { $in: [...ids] } }, { session })).deletedCount;
    },
  };
};

export type OldRows = ReturnType<typeof createOldRows>;
