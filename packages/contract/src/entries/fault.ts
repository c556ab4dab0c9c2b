import type { EntryFault, JsonObject } from '../operation.ts';
import type { EntryErrorCode } from '../rejections/entry-errors.ts';
import type { Json } from '../types.ts';

const LONGEST_PLACE = 200;

/** A fault with the sentence of the catalogue. */
export function fault(code: EntryErrorCode): EntryFault {
  return { code };
}

/** A fault with a sentence that names its place: `events[3]` + at + text. */
export function faultAt(code: EntryErrorCode, at: string, text: string): EntryFault {
  return { code, at, text };
}

/** The same fault, seen from outside: `.home` before `.street`. Places are put together only when something is wrong. */
export function within(place: string, inner: EntryFault | undefined): EntryFault | undefined {
  if (inner?.text === undefined) return inner;
  const at = `${place}${inner.at ?? ''}`;
  return { ...inner, at: at.length > LONGEST_PLACE ? `${at.slice(0, LONGEST_PLACE)}...` : at };
}

/** The first fault of an element, with its position. */
export function firstWithin<Element>(
  elements: readonly Element[],
  faultOf: (element: Element) => EntryFault | undefined,
): EntryFault | undefined {
  for (let index = 0; index < elements.length; index += 1) {
    const found = faultOf(elements[index] as Element);
    if (found) return within(`[${index}]`, found);
  }
  return undefined;
}

/** The rule of an object: about the name of each member, then about its value. */
export const membersRule =
  (
    nameFault: (name: string) => EntryFault | undefined,
    valueFault: (value: Json | undefined) => EntryFault | undefined,
  ) =>
  (value: JsonObject): EntryFault | undefined => {
    for (const name in value) {
      const wrongName = nameFault(name);
      if (wrongName) return wrongName;
      const inner = valueFault(value[name]);
      if (inner) return within(`.${name}`, inner);
    }
    return undefined;
  };

/** The rule of a name, by why it cannot be one. */
export const nameRule =
  (code: EntryErrorCode, what: string, causeOf: (name: string) => string | undefined) =>
  (name: string): EntryFault | undefined => {
    const cause = causeOf(name);
    return cause === undefined ? undefined : faultAt(code, '', `has ${what} that ${cause}`);
  };

/** Texts are stored as they are: what can't be stored so is refused, wherever it stands. */
export const wellFormedFault = (text: string): EntryFault | undefined =>
  text.isWellFormed() ? undefined : faultAt('TEXT_NOT_WELL_FORMED', '', 'must be well-formed text');
