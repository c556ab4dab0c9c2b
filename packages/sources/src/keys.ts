/**
 * Tables without a moment are read in the order of their keys. Each key has a text, so that the order of these texts, by the bytes of
 * UTF-8, is the order in which the source gives the rows.
 */

/** Rows without a key come first, or last where the server puts them there. */
export const noKey = { first: '', last: '\u{10ffff}' } as const;

/** Longer keys are not told apart. */
export const mostKeyCharacters = 300;

const zero = 48;
const complement = (digits: string): string =>
  digits.replace(/./g, (digit) => String.fromCharCode(zero + 9 - (digit.charCodeAt(0) - zero)));

/** Of a whole number with less than 80 digits: the number of its digits comes first. */
export const wholeKey = (text: string): string => {
  const digits = text.replace('-', '');
  return text.startsWith('-')
    ? `-${String.fromCharCode(126 - digits.length)}${complement(digits)}`
    : `0${String.fromCharCode(zero + digits.length)}${digits}`;
};

/** Surrogates stand for characters behind all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** By code points, which is the order of the bytes of UTF-8. */
export const compareKeys = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [first, second] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (first !== second) return rank(first) - rank(second);
  }
  return a.length - b.length;
};
