/** Rows as a driver of SQL sends them: texts, of which the first are the moment, the tie and the bytes of the row. */
import { bounds } from '../bounds.ts';
import type { Flow } from '../flow.ts';
import { noKey, wholeKey } from '../keys.ts';
import type { Found } from '../place.ts';
import type { Waiting } from '../server/protocol.ts';
import type { Cell } from '../source.ts';
import { asItIs, type Dialect } from './dialect.ts';
import type { Table } from './table.ts';

export type Raw = readonly (string | null)[];
export type Reader = (text: string) => Cell;

const leadingCells = 3;

export const bytesOf = (raw: Raw): number => Number(raw[2]);

export const finderOf =
  ({ nulls }: Pick<Dialect, 'nulls'>, { columns, moment: isTimed, tie: { kind } }: Table) =>
  (raw: Raw): Found => {
    const [moment, tie = null] = raw;
    const bytes = bytesOf(raw);
    const cells = columns.map(({ name, kind: { read = asItIs } }, at) => {
      const text = raw[at + leadingCells];
      return [name, typeof text === 'string' ? read(text) : null] as const;
    });
    const row = bytes <= bounds.rowBytes ? Object.fromEntries(cells) : undefined;
    const found = { moment: moment ?? '', tie, bytes, row };
    if (isTimed) return found;
    if (tie === null) return { ...found, key: noKey[nulls] };
    return { ...found, key: kind.isWhole ? wholeKey(tie) : tie };
  };

/** Ends with an error when the server is silent for longer than `firstMs` before the first row, or `silenceMs` later. */
export async function* rowsIn(flow: Flow<Raw>, { end, firstMs, silenceMs }: Waiting) {
  for (let rows = await flow.take(firstMs); rows; rows = await flow.take(silenceMs)) {
    end.throwIfAborted();
    yield rows;
  }
}
