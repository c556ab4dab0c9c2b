/** Where a text stops being JSON. */

/** The parser does not tell the place of every fault. It is searched in short texts only: that costs some 16 times the parsing. */
const mostSearched = 64 * 1024;

/** The place of the fault as the parser tells it; the length of the text when only its end is missing. */
const toldPlace = (text: string): number | undefined => {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const { message } = error as Error;
    const place = / at position (\d+)/.exec(message)?.[1];
    if (place !== undefined) return Number(place);
    return message.includes('end of JSON') ? text.length : undefined;
  }
};

/** A part of the text that lacks nothing but its end has the fault behind it. */
const searchedPlace = (text: string): number | undefined => {
  if (text.length > mostSearched) return undefined;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (toldPlace(text.slice(0, middle)) === middle) good = middle;
    else bad = middle;
  }
  return good;
};

/** `undefined`: not known, in a long text. */
export const placeOfJsonFault = (text: string): number | undefined => toldPlace(text) ?? searchedPlace(text);
