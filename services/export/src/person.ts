/** A stored profile, unpacked in short strides; its custom attributes, of which there may be very many, only when they are written. */
import { type CustomAttribute, newProfile, type Profile } from '@roster/profile';
import type { Breath } from '@roster/store';
import { documentIn, type Element, elementsIn, nameOf, packedIn, withOnly } from '@roster/store';
import { documentsIn, unpackedLists } from './unpacked-lists.ts';

export interface Person {
  /** Without the custom attributes. Members that were not read are missing. */
  profile: Profile;
  /** A packed array of them. */
  custom?: Buffer;
}

export const unpacked = async (bytes: Buffer, breath: Breath): Promise<Person> => {
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

export async function* attributesOf(
  { custom }: Person,
  breath: Breath,
): AsyncGenerator<Pick<CustomAttribute, 'k' | 'v'>> {
  if (custom) yield* documentsIn<Pick<CustomAttribute, 'k' | 'v'>>(custom, breath);
}
