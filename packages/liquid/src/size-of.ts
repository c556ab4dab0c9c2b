/** How much there is to look at in a value: characters of a text; elements of a list, and what lists and texts in it have. */
import { Html } from './html.ts';

/** Members of an object, and lists in a list, take many times the time of an element. */
const [perMember, perList] = [16, 8];

const within = (value: unknown, most: number): number => {
  if (typeof value === 'string') return value.length;
  if (value instanceof Html) return value.text.length;
  return Array.isArray(value) ? perList + sizeOfList(value, most) : 0;
};

const sizeOfList = (list: readonly unknown[], most: number): number => {
  let size = list.length;
  for (const one of list) {
    if (size > most) return size;
    size += within(one, most - size);
  }
  return size;
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Html);

/** A list that was put into itself again and again has more elements than anybody can count: nobody counts further than `most`. */
export const sizeOf = (value: unknown, most: number): number =>
  isObject(value) ? Object.keys(value).length * perMember : within(value, most);
