/** A stored profile, unpacked in short strides; its custom attributes, of which there may be very many, only when they are written. */
import {
  type CustomAttribute,
  isListName,
  type List,
  type ListItem,
  newProfile,
  type Profile,
} from '@roster/profile';
import {
  type Breath,
  documentIn,
  type Element,
  elementsIn,
  memberOf,
  nameOf,
  packedIn,
  withOnly,
} from '@roster/store';

export interface ExportPerson {
  /** Without the custom attributes. What was not read is as if it were not there. */
  profile: Profile;
  /** A packed array of them. */
  custom?: Buffer;
}

/** Every document of a packed array. */
async function* documentsIn<Document>(array: Buffer, breath: Breath): AsyncGenerator<Document> {
  for (const element of elementsIn(array)) {
    yield documentIn<Document>(packedIn(array, element));
    await breath();
  }
}

const unpackedList = async (bytes: Buffer, breath: Breath): Promise<List> => {
  const packed = memberOf(bytes, 'items');
  const items: ListItem[] = [];
  if (packed) for await (const item of documentsIn<ListItem>(packed, breath)) items.push(item);
  return { items };
};

const unpackedLists = async (bytes: Buffer, breath: Breath): Promise<Profile['lists']> => {
  const lists: Profile['lists'] = {};
  for (const element of elementsIn(bytes)) {
    const name = nameOf(bytes, element);
    if (isListName(name)) lists[name] = await unpackedList(packedIn(bytes, element), breath);
  }
  return lists;
};

export const unpacked = async (bytes: Buffer, breath: Breath): Promise<ExportPerson> => {
  const large = new Map<string, Buffer>();
  const rest: Element[] = [];
  for (const element of elementsIn(bytes)) {
    const name = nameOf(bytes, element);
    if (name === 'custom' || name === 'lists') large.set(name, packedIn(bytes, element));
    else rest.push(element);
  }
  const read = documentIn<Partial<Profile> & Pick<Profile, '_id'>>(withOnly(bytes, rest));
  const [custom, lists] = [large.get('custom'), large.get('lists')];
  return {
    profile: {
      ...newProfile(read._id, '', 0),
      ...read,
      ...(lists && { lists: await unpackedLists(lists, breath) }),
    },
    ...(custom && { custom }),
  };
};

export async function* attributesOf({ custom }: ExportPerson, breath: Breath) {
  if (custom) yield* documentsIn<Pick<CustomAttribute, 'k' | 'v'>>(custom, breath);
}
