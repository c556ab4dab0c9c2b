/** Reads profiles: the named attributes, as far as the budget has room. */
import type { Profile } from '@roster/profile';
import { createBreath } from './breath.ts';
import type { Collection, Session } from './db.ts';
import type { ProfileDocument } from './documents.ts';
import type { LoadBudget } from './load-budget.ts';
import { createNames, type Names } from './named-attributes.ts';
import { complete, partsOf, unpackNamed } from './profile-parts.ts';
import { documentIn } from './raw.ts';

export interface ReadProfiles {
  profiles: Map<string, Profile>;
  /** Their bytes in the database. */
  bytes: Map<string, number>;
  /** Profiles without room. */
  unloaded: Set<string>;
}

export interface ReadOptions {
  budget: LoadBudget;
  /** Of large profiles only these attributes are read; the others are `unread`. Called only when there is a large profile. */
  names(): ReadonlySet<string> | 'all';
  /** Only these members. Excluding members instead costs MongoDB 1.4 ms for each MB of them. */
  only?: Readonly<Record<string, 1>>;
}

/** Profiles that were read before the budget ran out do not count as unloaded. */
export const readProfiles = async (
  collection: Collection<ProfileDocument>,
  session: Session,
  ids: ReadonlySet<string>,
  { budget, names, only }: ReadOptions,
): Promise<ReadProfiles> => {
  const read: ReadProfiles = { profiles: new Map(), bytes: new Map(), unloaded: new Set() };
  if (ids.size === 0) return read;
  let named: Names | undefined;
  const breath = createBreath();
  const known = (profile: Profile, bytes: number): void => {
    read.profiles.set(profile._id, profile);
    read.bytes.set(profile._id, bytes);
  };
  const readWhole = (packed: Buffer): void => {
    const profile = complete(documentIn<Profile>(packed));
    if (budget.take(profile.ws, packed.length)) known(profile, packed.length);
    else read.unloaded.add(profile._id);
  };
  const readNamed = async (packed: Buffer): Promise<void> => {
    const parts = partsOf(packed);
    named ??= createNames(names());
    const profile = await unpackNamed(packed, parts, named, budget, breath);
    if (profile) known(profile, packed.length);
    else read.unloaded.add(parts._id);
  };
  // Unpacked here instead of in the driver: their size costs nothing then.
  const cursor = collection.find<Buffer>(
    { _id: { $in: [...ids] } },
    {
      session,
      batchSize: ids.size + 1,
      raw: true,
      ...(only && { projection: only }),
    },
  );
  try {
    while (!budget.isSpent() && (await cursor.hasNext()))
      for (const packed of cursor.readBufferedDocuments()) {
        if (packed.length > budget.wholeUpTo) await readNamed(packed);
        else readWhole(packed);
        await breath();
      }
  } finally {
    await cursor.close();
  }
  if (budget.isSpent()) for (const id of ids) if (!read.profiles.has(id)) read.unloaded.add(id);
  return read;
};
