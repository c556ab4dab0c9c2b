/** Dates of a column that other people or the server may read in another order: what becomes of them, and what to do. */
import { isoTime } from '@roster/contract';
import { quoted } from '../shown.ts';
import type { Column } from './csv-rows.ts';
import { isAmbiguous, isoDay, type Order, ordersOf } from './days.ts';

/** The first cell of each kind. */
type Cell = 'first' | 'ambiguous' | 'becomes' | 'stays' | Order;

export type DaysSeen = Partial<Record<Cell, string>>;

export const seeDay = (seen: DaysSeen, cell: string): void => {
  const orders = ordersOf(cell);
  if (orders.length === 0) return;
  seen.first ??= cell;
  if (orders.length === 1) for (const order of orders) seen[order] ??= cell;
  if (isAmbiguous(cell)) seen.ambiguous ??= cell;
  seen[isoTime(cell) === undefined ? 'stays' : 'becomes'] ??= cell;
};

const orderOf = ({ dmy, mdy, first }: DaysSeen): string => {
  if (dmy && mdy) return `with the day first (${dmy}) and with the month first (${mdy})`;
  if (dmy) return `with the day first (${dmy})`;
  return mdy ? `with the month first (${mdy})` : `such as ${first}, with the day or the month first`;
};

/** The month is read first: a text of the interface. */
const effectOf = ({ ambiguous, becomes, stays }: DaysSeen, { isTimed }: Column): string => {
  if (!isTimed) return 'They are imported as they stand';
  const read = [ambiguous, becomes].find((cell) => cell && isoTime(cell) !== undefined);
  const day = read && `${read} is read with the month first, as ${isoTime(read)?.slice(0, 10)}`;
  return [day, stays && `${stays} stays a text`].filter(Boolean).join('; ');
};

const exampleOf = (seen: DaysSeen, order: Order): string => {
  const cell = [seen.ambiguous, seen[order], seen.first].find((one) => one && isoDay(one, order));
  return cell ? ` (${cell} becomes ${isoDay(cell, order)})` : '';
};

const words = { dmy: 'the day first', mdy: 'the month first' };

const adviceOf = (seen: DaysSeen, { title, isMember }: Column): string => {
  if (isMember) return 'Write them like 2026-11-29';
  const orders: Order[] = seen.dmy && !seen.mdy ? ['dmy'] : seen.mdy && !seen.dmy ? ['mdy'] : ['dmy', 'mdy'];
  const flags = orders.map(
    (order) =>
      `--types ${quoted(`${title}=date-${order}`)} reads them with ${words[order]}${exampleOf(seen, order)}`,
  );
  return flags.join(', ');
};

export const dayLook = (seen: DaysSeen, column: Column): string | undefined =>
  seen.first &&
  `${column.title} has dates ${orderOf(seen)}. ${effectOf(seen, column)}. ${adviceOf(seen, column)}`;
