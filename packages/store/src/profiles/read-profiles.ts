/** Reads profiles: the named attributes, as far as the budget has room. */
import { type CustomAttribute, type Profile, unread } from '@roster/profile';
import { type Collection, documentIn, type Session } from '../connection/db.ts';
import type { ProfileDocument } from '../models/people.ts';
import { type Breath, createBreath } from './breath.ts';
import type { LoadBudget } from './load-budget.ts';
import { type AttributeNames, createNames } from './named-attributes.ts';
import { type Element, elementsIn, nameOf, packedIn, withOnly } from './packed.ts';
import { readAttribute } from './read-attribute.ts';

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

/** A projection: all members of a profile but its attributes and lists. */
export const lightMembers: Readonly<Record<Exclude<keyof Profile, 'custom' | 'lists'>, 1>> = {
  ...{ _id: 1, ws: 1, external_id: 1, former_ids: 1, aliases: 1, absorbed: 1 },
  ...{ email_key: 1, phone_key: 1, device_keys: 1, token_keys: 1 },
  ...{ fields: 1, consents: 1, contacts: 1, contacts_at: 1, created_at: 1, updated_at: 1 },
};

const textOf = (packed: Buffer, { value, end }: Element): string =>
  packed.toString('utf8', value + 4, end - 1);

interface ProfileParts {
  _id: string;
  ws: string;
  /** All but the attributes. */
  rest: Element[];
  custom: Buffer | undefined;
}

const partsOf = (packed: Buffer): ProfileParts => {
  const parts: ProfileParts = { _id: '', ws: '', rest: [], custom: undefined };
  for (const element of elementsIn(packed)) {
    const name = nameOf(packed, element);
    if (name === 'custom') {
      parts.custom = packedIn(packed, element);
      continue;
    }
    if (name === '_id') parts._id = textOf(packed, element);
    if (name === 'ws') parts.ws = textOf(packed, element);
    parts.rest.push(element);
  }
  return parts;
};

/** Members that were not read are empty. */
const complete = (profile: Profile): Profile =>
  profile.custom && profile.lists
    ? profile
    : { ...profile, custom: profile.custom ?? [], lists: profile.lists ?? {} };

/** `undefined` without room. */
const unpackNamed = async (
  packed: Buffer,
  { ws, rest, custom }: ProfileParts,
  names: AttributeNames,
  budget: LoadBudget,
  breath: Breath,
): Promise<Profile | undefined> => {
  const found = custom ? names.findIn(custom) : { count: 0, places: [], bytes: 0 };
  const read = packed.length - (custom?.length ?? 0) + found.bytes;
  if (!budget.take(ws, read, packed.length - read)) return undefined;
  const attributes = new Array<CustomAttribute>(found.count).fill(unread);
  for (const { place, start, end } of found.places) {
    attributes[place] = readAttribute((custom ?? packed).subarray(start, end));
    await breath();
  }
  return complete({ ...documentIn<Profile>(withOnly(packed, rest)), custom: attributes });
};

/** Profiles that were read before the budget ran out do not count as unloaded. */
export const readProfiles = async (
  collection: Collection<ProfileDocument>,
  session: Session,
  ids: ReadonlySet<string>,
  { budget, names, only }: ReadOptions,
): Promise<ReadProfiles> => {
  const read: ReadProfiles = { profiles: new Map(), bytes: new Map(), unloaded: new Set() };
  if (ids.size === 0) return read;
  let named: AttributeNames | undefined;
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
  const how = { session, batchSize: ids.size + 1, raw: true, ...(only && { projection: only }) };
  const cursor = collection.find<Buffer>({ _id: { $in: [...ids] } }, how);
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
