import { type Batch, batchesOf, bodyOf } from './batches.ts';
import type { ArrayName, FurtherName, Row } from './row.ts';
import { aBatch } from './testbed.ts';

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

type Value = Row['entries'][number]['value'];
const about = (line: number, array: ArrayName, ...values: Value[]): Row =>
  aRow(line, 0, { entries: values.map((value) => ({ array, value })) });

const batchesIn = async (rows: Row[], mostEntries = 3) => {
  const batches: Batch[] = [];
  for await (const batch of batchesOf([rows], mostEntries)) batches.push(batch);
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

  const email = 'a@example.com';
  const person = about(1, 'attributes', { email });
  const did = about(2, 'events', { email, name: 'seen' });
  const sharer = about(1, 'attributes', { email, email_subscribe: 'unsubscribed' });
  const ofB = (line: number, ...values: Value[]) =>
    about(line, 'attributes', ...values.map((value) => ({ external_id: 'b', ...value })));

  it.each<[string, Row[], number[][]]>([
    ['an email that an event means', [person, did, ofB(3, { email: 'A@example.com' })], [[1, 2], [3]]],
    [
      'a phone that an event means',
      [
        person,
        about(2, 'events', { phone: '+1', name: 'seen' }),
        about(3, 'attributes', { email, phone: '+1' }),
      ],
      [[1, 2], [3]],
    ],
    ['no contact', [person, did, about(3, 'attributes', { email, plan: 'pro' })], [[1, 2, 3]]],
    ['another email', [person, did, ofB(3, { email: 'b@example.com' })], [[1, 2, 3]]],
    [
      'an email that no row means',
      [about(1, 'events', { external_id: 'y', name: 'seen' }), ofB(2, { email })],
      [[1, 2]],
    ],
    [
      'an email with a statement',
      [sharer, ofB(2, { email_subscribe: 'opted_in' }, { email: 'A@example.com' })],
      [[1], [2, 2]],
    ],
    [
      'an email beside a phone',
      [about(1, 'attributes', { phone: '+1' }), about(2, 'attributes', { email, phone: '+1' })],
      [[1], [2]],
    ],
    ['an email without a statement', [sharer, ofB(2, { email: 'b@example.com' })], [[1, 2]]],
    [
      'an email of another id',
      [about(1, 'attributes', { external_id: 'a', email }), ofB(2, { email })],
      [[1, 2]],
    ],
  ])('end before a person gets a contact of an earlier row, and only then: %s', async (_, rows, lines) => {
    const batches = await batchesIn(rows, 9);
    expect(batches.map(({ items }) => items.map(({ line }) => line))).toEqual(lines);
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
    const idsIn = async (ids: string, arrayOf: (line: number) => ArrayName) => {
      const rows = [...ids].map((external_id, n) => about(n + 1, arrayOf(n + 1), { external_id }));
      return (await batchesIn(rows)).map((batch) => idsOf(batch).join(''));
    };
    expect(await idsIn('abbb', (line) => (line === 3 ? 'events' : 'attributes'))).toEqual(['a', 'bbb']);
    expect(await idsIn('aaaa', () => 'attributes')).toEqual(['aaa', 'a']);
    expect(await idsIn('abbb', () => 'events')).toEqual(['abb', 'b']);
  });

  it('stay below a number of bytes', async () => {
    const text = 'x'.repeat(1.5 * 1024 * 1024);
    const rows = [1, 2, 3].map((line) => about(line, 'events', { text }));
    expect((await batchesIn(rows, 50)).map(({ items }) => items.length)).toEqual([2, 1]);
  });

  it('carry the rows that could not be read, and end even when there is nothing else', async () => {
    const fault = { code: 'LINE_NOT_JSON', sentence: 'no' };
    const bad = Array.from({ length: 1001 }, (_, n) => aRow(n + 1, 0, { fault, raw: Buffer.from('x\n') }));
    const batches = await batchesIn(bad);
    const lines = bad.map(({ line }) => line);
    expect(batches.map(({ refusals }) => refusals.map(({ line }) => line))).toEqual([
      lines.slice(0, 1000),
      [1001],
    ]);
    expect(batches[0]?.refusals[0]).toEqual({ ...fault, line: 1, row: 'x' });
  });

  it('are none for no rows', async () => {
    expect(await batchesIn([])).toEqual([]);
  });
});

describe('the body of a batch', () => {
  it('has its entries in three arrays', () => {
    const { items } = aBatch([
      ['events', { id: 'a' }],
      ['attributes', { id: 'b' }],
      ['events', { id: 'c' }],
    ]);
    const { json, places } = bodyOf(items);
    expect(JSON.parse(json)).toEqual({ attributes: [{ id: 'b' }], events: [{ id: 'a' }, { id: 'c' }] });
    expect(places.events.map(({ line }) => line)).toEqual([1, 3]);
  });
});
