/** Which members make an entry an event or a purchase: one rule for lines of NDJSON and for the columns of CSV. */
import type { ArrayName } from './row.ts';

/** The values of `type`, in a line or in `--type`; a line may also be an `alias`. */
export const lineTypes = ['attributes', 'event', 'purchase', 'user'] as const;
export type LineType = (typeof lineTypes)[number];
export type EntryType = Exclude<LineType, 'user'>;

export const arrayOf: Readonly<Record<EntryType, ArrayName>> = {
  attributes: 'attributes',
  event: 'events',
  purchase: 'purchases',
};

/** The first one that is there as a whole counts: the name of a product may stand beside a purchase. */
const signs: readonly [type: EntryType, members: readonly string[]][] = [
  ['purchase', ['product_id', 'currency', 'price']],
  ['event', ['name', 'time']],
  ['purchase', ['product_id']],
];

export interface Guess {
  type: EntryType;
  /** None for attributes. */
  because: readonly string[];
}

export const guessed = (has: (member: string) => boolean): Guess => {
  const [type, because] = signs.find(([, members]) => members.every(has)) ?? (['attributes', []] as const);
  return { type, because };
};
