/** Small configuration records, kept whole under their id: workspaces and keys. */
import type mongoose from 'mongoose';
import type { Collection, Session } from '../connection/db.ts';
import type { RecordDocument } from '../models/settings.ts';

export interface Identifiable {
  id: string;
}

/** The types of the records belong to the packages that make and check them. */
const recordOf = <Kept extends Identifiable>({ _id, ...rest }: RecordDocument): Kept =>
  ({ id: _id, ...rest }) as unknown as Kept;

export const createRecords = (
  collection: Collection<RecordDocument>,
  model: () => Pick<mongoose.Model<RecordDocument>, 'replaceOne'>,
) => ({
  async list<Kept extends Identifiable>(filter: { ws?: string } = {}): Promise<Kept[]> {
    const found = await collection.find(filter).sort({ _id: 1 }).toArray();
    return found.map((document) => recordOf<Kept>(document));
  },
  async get<Kept extends Identifiable>(id: string): Promise<Kept | undefined> {
    const found = await collection.findOne({ _id: id });
    return found ? recordOf<Kept>(found) : undefined;
  },
  /** Replaces the stored record; in a transaction if one is given. */
  async put<Kept extends Identifiable>({ id, ...rest }: Kept, session?: Session): Promise<void> {
    await model().replaceOne(
      { _id: id },
      { _id: id, ...rest },
      { upsert: true, ...(session && { session }) },
    );
  },
});

/** The names of API keys by their ids; null for a key that is gone. */
export const namesOfKeys = async (
  { keys }: { keys: Pick<Records, 'get'> },
  ids: readonly (string | undefined)[],
) => {
  const asked = [...new Set(ids.flatMap((id) => id ?? []))];
  const found = await Promise.all(asked.map((id) => keys.get<{ id: string; name: string }>(id)));
  return new Map(asked.map((id, place) => [id, found[place]?.name ?? null]));
};

export type Records = ReturnType<typeof createRecords>;
