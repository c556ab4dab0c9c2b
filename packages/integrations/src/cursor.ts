/** The order of cursors, as sources give them: by their moments, `2026-01-31T23:59:59.123456Z`. */
import type { Cursor } from '@roster/sources';

/** With nine digits behind the second, so that texts are in the order of time. */
const whole = (moment: string): string => {
  const [seconds = '', fraction = ''] = moment.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
};

/** Without a tie it is before all rows of its moment. Between two rows of one moment the source alone knows the order: they count as equal. */
export const isBefore = (a: Cursor, b: Cursor): boolean => {
  const [first, second] = [whole(a.updatedAt), whole(b.updatedAt)];
  return first === second ? a.tie === null && b.tie !== null : first < second;
};

/** The second one where the source alone knows. */
export const later = (a: Cursor | undefined, b: Cursor | undefined): Cursor | undefined => {
  if (!a || !b) return a ?? b;
  return isBefore(b, a) ? a : b;
};

export const readCursor = (text: string | undefined): Cursor | undefined =>
  text === undefined ? undefined : JSON.parse(text);

/** Up to where rows count as read: rows of later moments were read too, but others are still written before them. */
export const markOf = ({ cursor, now }: { cursor?: string; now?: string }): Cursor | undefined => {
  const reached = readCursor(cursor);
  const most = now === undefined ? undefined : { updatedAt: now, tie: null };
  return reached && most && isBefore(most, reached) ? most : reached;
};

/** Whether a place that was reached lies behind all that was read before. */
export const isBeyond = (before: Cursor | undefined, reached: Cursor | undefined): boolean =>
  reached !== undefined && (before === undefined || isBefore(before, reached));
