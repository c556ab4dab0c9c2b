/** Unpacks the packed lists of a profile. */
import { isListName, type List, type ListItem, type Profile } from '@roster/profile';
import type { Breath } from '@roster/store';
import { documentIn, elementsIn, memberOf, nameOf, packedIn } from '@roster/store';

/** Every document of a packed array. */
export async function* documentsIn<Document>(array: Buffer, breath: Breath): AsyncGenerator<Document> {
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

export const unpackedLists = async (bytes: Buffer, breath: Breath): Promise<Profile['lists']> => {
  const lists: Profile['lists'] = {};
  for (const element of elementsIn(bytes)) {
    const name = nameOf(bytes, element);
    if (isListName(name)) lists[name] = await unpackedList(packedIn(bytes, element), breath);
  }
  return lists;
};
