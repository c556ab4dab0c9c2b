/** Dates with the day or the month first, such as 05/11/2024. */
import { parseTime } from '@roster/contract';

export type Order = 'dmy' | 'mdy';

const rule =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}):(\d{2})(:\d{2})?(?: ?([AaPp])\.?[Mm]\.?)?)?$/;

const two = (digits: string | number): string => String(digits).padStart(2, '0');

const isHalf = (hour: number): boolean => hour >= 1 && hour <= 12;

/** ` 2:30 PM` becomes `T14:30`. */
const clockOf = ([, , , , , hour, minute, second = '', half]: RegExpExecArray): string | undefined => {
  if (hour === undefined) return '';
  if (half === undefined) return `T${two(hour)}:${minute}${second}`;
  const later = half.toLowerCase() === 'p' ? 12 : 0;
  return isHalf(Number(hour)) ? `T${two((Number(hour) % 12) + later)}:${minute}${second}` : undefined;
};

/** As an ISO date or time; `undefined` when it is none in this order. */
export const isoDay = (cell: string, order: Order): string | undefined => {
  const found = rule.exec(cell);
  if (!found) return undefined;
  const [, first = '', , second = '', year] = found;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  const clock = clockOf(found);
  const text = `${year}-${two(month)}-${two(day)}${clock}`;
  return clock === undefined || parseTime(text) === undefined ? undefined : text;
};

/** The orders in which the cell is a date; none for other cells. With points, the day stands first. */
export const ordersOf = (cell: string): Order[] => {
  if (!rule.test(cell)) return [];
  const dmy = isoDay(cell, 'dmy');
  const mdy = isoDay(cell, 'mdy');
  if (dmy !== undefined && (cell.includes('.') || mdy === undefined)) return ['dmy'];
  if (mdy === undefined) return [];
  return dmy === undefined ? ['mdy'] : ['dmy', 'mdy'];
};

/** Two orders that lead to two days. */
export const isAmbiguous = (cell: string): boolean =>
  ordersOf(cell).length > 1 && isoDay(cell, 'dmy') !== isoDay(cell, 'mdy');
