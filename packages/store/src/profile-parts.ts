/** The parts of a stored profile: unpacked as far as attributes are named. */
import { type CustomAttribute, type Profile, unread } from '@roster/profile';
import type { Breath } from './breath.ts';
import type { LoadBudget } from './load-budget.ts';
import type { Names } from './named-attributes.ts';
import { type Element, elementsIn, nameOf, packedIn, withOnly } from './packed.ts';
import { documentIn } from './raw.ts';
import { readAttribute } from './read-attribute.ts';

const textOf = (packed: Buffer, { value, end }: Element): string =>
  packed.toString('utf8', value + 4, end - 1);

interface Parts {
  _id: string;
  ws: string;
  /** All but the attributes. */
  rest: Element[];
  custom: Buffer | undefined;
}

export const partsOf = (packed: Buffer): Parts => {
  const parts: Parts = { _id: '', ws: '', rest: [], custom: undefined };
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
export const complete = (profile: Profile): Profile =>
  profile.custom && profile.lists
    ? profile
    : { ...profile, custom: profile.custom ?? [], lists: profile.lists ?? {} };

/** `undefined` without room. */
export const unpackNamed = async (
  packed: Buffer,
  { ws, rest, custom }: Parts,
  names: Names,
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
