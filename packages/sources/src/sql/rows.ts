/** Rows as a driver of SQL sends them: texts, of which the first are the moment, the tie and the bytes of the row. */
import { bounds } from '../bounds.ts';
import type { Flow } from '../flow.ts';
import type { Found } from '../place.ts';
import type { Waiting } from '../server/protocol.ts';
import type { Cell } from '../source.ts';

export type Raw = readonly (string | null)[];
export type Reader = (text: string) => Cell;

const leadingCells = 3;

export const bytesOf = (raw: Raw): number => Number(raw[2]);

export const foundBy =
  (
    readers: readonly (readonly [name: string, read: Reader])[],
    /** Where the table is read by its keys. */
    keyOf?: (tie: string | null) => string,
  ) =>
  (raw: Raw): Found => {
    const [moment, tie] = raw;
    const bytes = bytesOf(raw);
    const cells = readers.map(([name, read], at) => {
      const text = raw[at + leadingCells];
      return [name, typeof text === 'string' ? read(text) : null] as const;
    });
    const row = bytes <= bounds.rowBytes ? Object.fromEntries(cells) : undefined;
    return { moment: moment ?? '', tie: tie ?? null, bytes, row, ...(keyOf && { key: keyOf(tie ?? null) }) };
  };

/** Ends with an error when the server is silent for longer than `firstMs` before the first row, or `silenceMs` later. */
export async function* foundIn(
  flow: Flow<Raw>,
  find: (raw: Raw) => Found,
  { end, firstMs, silenceMs }: Waiting,
): AsyncGenerator<readonly Found[], void, undefined> {
  for (let raw = await flow.take(firstMs); raw; raw = await flow.take(silenceMs)) {
    end.throwIfAborted();
    yield raw.map(find);
  }
}
