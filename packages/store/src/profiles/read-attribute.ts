/** A stored attribute. The large parts of a large one are unpacked on demand: a new value needs none of them, nor does a refused step. */
import { type CustomAttribute, storedBytes } from '@roster/profile';
import { documentIn } from '../connection/db.ts';
import { type Element, elementsIn, nameOf, withOnly } from './packed.ts';

/** Smaller parts are unpacked at once. */
const largePart = 1024;

const isLarge = ({ start, end }: Element): boolean => end - start > largePart;

const unpackLater = (attribute: object, name: string, packed: Buffer): void => {
  Object.defineProperty(attribute, name, {
    enumerable: true,
    configurable: true,
    get(): unknown {
      const value = documentIn<Record<string, unknown>>(packed)[name];
      Object.defineProperty(attribute, name, { enumerable: true, value });
      return value;
    },
  });
};

/** `packed` may be a part of the driver's buffer: only copies of it are kept. */
export const readAttribute = (packed: Buffer): CustomAttribute => {
  if (packed.length <= largePart) return documentIn(packed);
  const elements = [...elementsIn(packed)];
  const small = elements.filter((element) => !isLarge(element));
  const attribute = documentIn<CustomAttribute>(withOnly(packed, small));
  for (const element of elements)
    if (isLarge(element)) unpackLater(attribute, nameOf(packed, element), withOnly(packed, [element]));
  Object.defineProperty(attribute, storedBytes, { value: packed.length });
  return attribute;
};
