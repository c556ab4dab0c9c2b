/** Numbers that servers write as texts. */

/** Beyond 2^53 a bigint. */
export const wholeNumber = (text: string): number | bigint => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
};

/** NaN and the infinities stay texts, as a number in JSON is finite. */
export const anyNumber = (text: string): number | string => {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
};

/** Whole decimals are exact; others become the nearest number, as in JSON. */
export const decimal = (text: string): number | bigint | string =>
  /^-?\d+$/.test(text) ? wholeNumber(text) : anyNumber(text);
