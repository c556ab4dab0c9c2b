/** Lines of JSON. */
import { isRow } from './cells.ts';
import type { Format } from './reading.ts';
import { recordsOf } from './records.ts';

const parse = (text: string): { row: ReturnType<typeof asRow> } => {
  try {
    return { row: asRow(JSON.parse(text)) };
  } catch {
    return { row: undefined };
  }
};

const asRow = (value: unknown) => (isRow(value) ? value : undefined);

export const ndjson: Format = {
  endings: ['.ndjson', '.jsonl'],
  wants: 'a line of JSON',
  async *read(options) {
    for await (const { text, ...record } of recordsOf(options)) {
      if (text === undefined) yield record;
      else {
        const { row } = parse(text);
        yield row ? { ...record, row } : { ...record, problem: 'is no object of JSON' };
      }
    }
  },
};
