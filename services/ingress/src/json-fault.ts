/** Where a body stops being JSON, for the one who wrote it. */
import { placeOfJsonFault, Rejection, rejections } from '@roster/contract';

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
  const place = placeOfJsonFault(text);
  if (place === undefined) return '';
  const where = lineAndColumn(text, place);
  return place === text.length ? `The JSON ends too early, at ${where}.` : `The JSON is wrong at ${where}.`;
};

/** `text`: undefined when the bytes are no UTF-8. */
export const notJson = (text: string | undefined): Rejection => {
  const what = text === undefined ? 'It is not valid UTF-8.' : whatIn(text);
  return new Rejection('BODY_NOT_JSON', { message: `${rejections.BODY_NOT_JSON.message} ${what}`.trim() });
};
