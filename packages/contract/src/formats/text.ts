/// <reference lib="es2024.string" />
const BYTES_OF_A_UNIT = 3;

/** Well-formed UTF-16 without NUL: what may become an identifier or a name. Two broken texts would be stored as one. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Said of a text that is not clean. */
export const unclean = 'must be well-formed text without NUL characters';

export function isLongerThanBytes(text: string, limit: number): boolean {
  return text.length * BYTES_OF_A_UNIT > limit && Buffer.byteLength(text) > limit;
}

/** Characters are code points, as in JSON Schema; a code point is one or two units. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > limit * 2 || countCharacters(text) > limit;
}

export function isShorterThan(text: string, limit: number): boolean {
  if (text.length < limit) return true;
  return text.length < limit * 2 && countCharacters(text) < limit;
}

function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}
