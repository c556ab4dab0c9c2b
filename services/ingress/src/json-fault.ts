/** Where a body stops being JSON, for the one who wrote it. */
import { Rejection, rejections } from '@roster/contract';

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

const lineAndColumn = (text: string, place: number): string => {
  let [line, start] = [1, 0];
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', start)) {
    line += 1;
    start = at + 1;
  }
  return `line ${line}, column ${place - start + 1}`;
};

const whatIn = (text: string): string => {
  if (text.trim() === '') return 'The body is empty.';
  const place = toldPlace(text) ?? searchedPlace(text);
  if (place === undefined) return '';
  const where = lineAndColumn(text, place);
  return place === text.length ? `The JSON ends too early, at ${where}.` : `The JSON is wrong at ${where}.`;
};

/** `text`: undefined when the bytes are no UTF-8. */
export const notJson = (text: string | undefined): Rejection => {
  const what = text === undefined ? 'It is not valid UTF-8.' : whatIn(text);
  return new Rejection('BODY_NOT_JSON', { message: `${rejections.BODY_NOT_JSON.message} ${what}`.trim() });
};
