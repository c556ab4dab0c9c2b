import { type Batch, batchesOf, bodyOf } from './batches.ts';
import type { FurtherName, Row } from './row.ts';

/** A row of 10 bytes on line n, with this many entries. */
const aRow = (line: number, count = 1, changes: Partial<Row> = {}): Row => ({
  line,
  nextLine: line + 1,
  start: (line - 1) * 10,
  end: line * 10,
  entries: Array.from({ length: count }, (_, i) => ({
    array: 'attributes' as const,
    value: { external_id: `${line}.${i}` },
  })),
  leftOut: [],
  ...changes,
});

async function* streamOf(rows: Row[]) {
  yield* rows;
}
const batchesIn = async (rows: Row[], limits = { entries: 3 }) => {
  const batches: Batch[] = [];
  for await (const batch of batchesOf(streamOf(rows), limits)) batches.push(batch);
  return batches;
};
const idsOf = ({ items }: Batch) => items.map(({ value }) => value.external_id);

describe('batches', () => {
  it('are full, in the order of the file, and know where they begin and end', async () => {
    const batches = await batchesIn([1, 2, 3, 4].map((line) => aRow(line)));
    expect(batches.map(idsOf)).toEqual([['1.0', '2.0', '3.0'], ['4.0']]);
    expect(batches).toMatchObject([
      { index: 0, start: 0, end: 30, nextLine: 4, rows: 3 },
      { index: 1, start: 30, end: 40, nextLine: 5, rows: 1 },
    ]);
  });

  it('hold rows whole', async () => {
    expect((await batchesIn([aRow(1, 2), aRow(2, 2), aRow(3, 1)])).map(idsOf)).toEqual([
      ['1.0', '1.1'],
      ['2.0', '2.1', '3.0'],
    ]);
  });

  it('of a row that is larger lead on only after the last', async () => {
    const batches = await batchesIn([aRow(1), aRow(2, 7), aRow(3)]);
    expect(
      batches.map(({ start, end, part, rows, items }) => [start, end, part, rows, items.length]),
    ).toEqual([
      [0, 10, 0, 1, 1],
      [10, 10, 0, 0, 3],
      [10, 10, 1, 0, 3],
      [10, 20, 2, 1, 1],
      [20, 30, 0, 1, 1],
    ]);
  });

  it('of a row that is larger have former ids in the first and aliases in the last; and so many names as entries at most', async () => {
    const names: FurtherName[] = (['former', 'alias'] as const).map((kind) => ({ kind, value: {} }));
    const batches = await batchesIn([aRow(1, 7, { names })]);
    expect(batches.map((batch) => batch.names)).toEqual([
      [{ ...names[0], line: 1 }],
      [],
      [{ ...names[1], line: 1 }],
    ]);
    const onlyNames = [1, 2, 3, 4].map((line) => aRow(line, 0, { names: names.slice(1) }));
    expect((await batchesIn(onlyNames)).map((batch) => batch.names.map(({ line }) => line))).toEqual([
      [1, 2, 3],
      [4],
    ]);
  });

  it('end before a person gets a contact by which an earlier row means another one', async () => {
    const row = (
      line: number,
      array: 'attributes' | 'events',
      value: Row['entries'][number]['value'],
    ): Row => ({
      ...aRow(line),
      entries: [{ array, value }],
    });
    const email = 'a@example.com';
    const person = row(1, 'attributes', { email });
    const did = row(2, 'events', { email, name: 'seen' });
    const linesOf = async (...rows: Row[]) =>
      (await batchesIn(rows, { entries: 9 })).map(({ items }) => items.map(({ line }) => line));
    const other = row(3, 'attributes', { external_id: 'x', email: 'A@example.com' });
    expect(await linesOf(person, did, other)).toEqual([[1, 2], [3]]);
    expect(
      await linesOf(
        person,
        row(2, 'events', { phone: '+1', name: 'seen' }),
        row(3, 'attributes', { email, phone: '+1' }),
      ),
    ).toEqual([[1, 2], [3]]);
    expect(await linesOf(person, did, row(3, 'attributes', { email, plan: 'pro' }))).toEqual([[1, 2, 3]]);
    expect(
      await linesOf(person, did, row(3, 'attributes', { external_id: 'x', email: 'b@example.com' })),
    ).toEqual([[1, 2, 3]]);
    expect(
      await linesOf(
        row(1, 'events', { external_id: 'y', name: 'seen' }),
        row(2, 'attributes', { external_id: 'x', email }),
      ),
    ).toEqual([[1, 2]]);
  });

  it('end before a person gets a contact with a statement in an earlier row', async () => {
    const about = (line: number, ...values: Row['entries'][number]['value'][]): Row => ({
      ...aRow(line),
      entries: values.map((value) => ({ array: 'attributes', value })),
    });
    const linesOf = async (...rows: Row[]) =>
      (await batchesIn(rows, { entries: 9 })).map((batch) => [
        ...new Set(batch.items.map(({ line }) => line)),
      ]);
    const email = 'a@example.com';
    const sharer = about(1, { email, email_subscribe: 'unsubscribed' });
    const named = about(
      2,
      { external_id: 'b', email_subscribe: 'opted_in' },
      { external_id: 'b', email: 'A@example.com' },
    );
    expect(await linesOf(sharer, named)).toEqual([[1], [2]]);
    expect(await linesOf(about(1, { phone: '+1' }), about(2, { email, phone: '+1' }))).toEqual([[1], [2]]);
    expect(await linesOf(sharer, about(2, { external_id: 'b', email: 'b@example.com' }))).toEqual([[1, 2]]);
    expect(
      await linesOf(about(1, { external_id: 'a', email }), about(2, { external_id: 'b', email })),
    ).toEqual([[1, 2]]);
  });

  it('are the same again from wherever one begins', async () => {
    const rows = [1, 2, 4, 1, 1, 3, 1, 5, 2].map((count, i) => aRow(i + 1, count));
    const all = await batchesIn(rows);
    for (const { end } of all) {
      const rest = await batchesIn(rows.filter(({ start }) => start >= end));
      const expected = all.filter(({ start }) => start >= end);
      expect(rest.map(idsOf)).toEqual(expected.map(idsOf));
    }
  });

  it('end before a person whose rows go on', async () => {
    const about = (line: number, id: string, array: 'attributes' | 'events' = 'attributes') =>
      aRow(line, 0, { entries: [{ array, value: { external_id: id } }] });
    const rows = [about(1, 'a'), about(2, 'b'), about(3, 'b', 'events'), about(4, 'b')];
    expect((await batchesIn(rows)).map(idsOf)).toEqual([['a'], ['b', 'b', 'b']]);
    const many = [1, 2, 3, 4].map((line) => about(line, 'a'));
    expect((await batchesIn(many)).map(idsOf)).toEqual([['a', 'a', 'a'], ['a']]);
    const events = [1, 2, 3, 4].map((line) => about(line, line === 1 ? 'a' : 'b', 'events'));
    expect((await batchesIn(events)).map(idsOf)).toEqual([['a', 'b', 'b'], ['b']]);
  });

  it('stay below a number of bytes', async () => {
    const rows = [1, 2, 3].map((line) => aRow(line));
    expect(await batchesIn(rows, { entries: 50, bytes: 50 } as { entries: number })).toHaveLength(2);
  });

  it('carry the rows that could not be read, and end even when there is nothing else', async () => {
    const fault = { code: 'LINE_NOT_JSON', sentence: 'no' };
    const bad = [1, 2, 3].map((line) => aRow(line, 0, { fault, text: 'x' }));
    const batches = await batchesIn(bad, { entries: 3, rows: 2 } as { entries: number });
    expect(batches.map(({ refusals }) => refusals.map(({ line }) => line))).toEqual([[1, 2], [3]]);
    expect(batches[0]?.refusals[0]).toEqual({ ...fault, line: 1, row: 'x' });
  });

  it('are none for no rows', async () => {
    expect(await batchesIn([])).toEqual([]);
  });
});

describe('the body of a batch', () => {
  it('has its entries in three arrays', () => {
    const item = (array: 'attributes' | 'events', id: string, line: number) => ({
      array,
      value: { id },
      json: JSON.stringify({ id }),
      line,
    });
    const { json, places } = bodyOf([
      item('events', 'a', 1),
      item('attributes', 'b', 2),
      item('events', 'c', 3),
    ]);
    expect(JSON.parse(json)).toEqual({ attributes: [{ id: 'b' }], events: [{ id: 'a' }, { id: 'c' }] });
    expect(places.events.map(({ line }) => line)).toEqual([1, 3]);
  });
});
