import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ParquetOptions, writeParquet } from '@roster/testkit';
import { openFiles } from '../files/files.ts';
import { openFolder } from '../files/folder.ts';
import { inRoot, inShort, type Person, pagesOf, patient, readAll } from '../testbed.ts';
import { createParquet } from './parquet.ts';
import { useParquet } from './testbed.ts';
import { rowsOfThread, type ThreadOptions } from './thread.ts';

const places = useParquet();

const open = (options: ThreadOptions & { columns?: readonly string[] } = {}) => {
  const { script, folder } = places;
  const { columns, ...own } = options;
  return openFiles(
    openFolder(inRoot(folder)),
    { format: 'parquet', updatedAt: 'UPDATED_AT', tie: 'id', ...(columns && { columns }) },
    { limits: patient, format: createParquet({ script, threadMs: patient.silenceMs, ...own }) },
  );
};
const write = (name: string, options: ParquetOptions) => writeParquet(join(places.folder, name), options);
const rowsOf = async (options = {}) =>
  (await readAll(open(options))).map(({ row, problem }) => row ?? problem);

const column = <Value>(name: string, data: Value[]) => ({ name, type: 'STRING' as const, data });

const peopleFile = (people: readonly Person[], more = {}): ParquetOptions => ({
  ...more,
  columnData: [
    column(
      'id',
      people.map(({ id }) => id),
    ),
    column(
      'updated_at',
      people.map(({ at }) => at),
    ),
    column(
      'payload',
      people.map(({ payload }) => payload ?? null),
    ),
  ],
});

it('files and their row groups are one table', async () => {
  const people = Array.from({ length: 9 }, (_, n) => ({
    id: `p${n}`,
    at: `2026-01-3${n % 2}`,
    payload: 'x',
  }));
  await write('b.parquet', peopleFile(people.slice(0, 7).reverse(), { rowGroupSize: 3 }));
  await write('a.parquet', peopleFile(people.slice(7), { codec: 'UNCOMPRESSED' }));
  const order = [0, 2, 4, 6, 8, 1, 3, 5, 7];
  expect(inShort(await readAll(open()))).toEqual(order.map((n) => `p${n}@x`));
});

it('a row that is too large is told, and the others are read', async () => {
  const at = '2026-01-31';
  await write(
    'a.parquet',
    peopleFile([
      { id: 'a', at },
      { id: 'b', at, payload: 'x'.repeat(1_100_000) },
    ]),
  );
  expect(inShort(await readAll(open()))).toEqual([
    'a@null',
    'a.parquet, row 2: a.parquet, row 2: the row has 1.0 MB, and a row may have 1.0 MB',
  ]);
});

it('a long file makes way for others between its row groups', async () => {
  const people = Array.from({ length: 3 }, (_, n) => ({ id: `p${n}`, at: '2026-01-31' }));
  await write('a.parquet', peopleFile(people, { rowGroupSize: 1 }));
  const store = openFolder(inRoot(places.folder));
  const { signal } = new AbortController();
  const [file] = await store.list(['.parquet'], signal);
  const options = { script: places.script, threadMs: patient.silenceMs };
  const heard: string[] = [];
  const read = async (reader: string, until: (n: number) => Promise<unknown>): Promise<void> => {
    const rows = file && rowsOfThread({ store, file, columns: undefined, signal }, options);
    if (!rows) throw new Error('no file');
    for await (const one of rows) {
      const first = 'rows' in one ? one.rows.first : 0;
      heard.push(`${reader}${first}`);
      await until(first);
    }
  };
  let second: Promise<void> | undefined;
  await read('a', async (n) => {
    if (n === 1) second = read('b', async () => {});
  });
  await second;
  expect(heard.slice(0, 2)).toEqual(['a1', 'b1']);
  expect([...heard].sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
});

it('values of Parquet are plain and exact', async () => {
  const optional = { type: 'INT64', repetition_type: 'OPTIONAL' } as const;
  await write('a.parquet', {
    schema: [
      { name: 'root', num_children: 14 },
      ...['id', 'micros', 'nanos'].map((name) => ({ name, ...optional })),
      {
        name: 'UPDATED_AT',
        type: 'INT64',
        repetition_type: 'REQUIRED',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
      },
      { name: 'at', type: 'INT64', repetition_type: 'OPTIONAL', converted_type: 'TIMESTAMP_MICROS' },
      { name: 'born', type: 'INT32', repetition_type: 'OPTIONAL', converted_type: 'DATE' },
      {
        name: 'price',
        type: 'INT32',
        repetition_type: 'OPTIONAL',
        converted_type: 'DECIMAL',
        scale: 2,
        precision: 9,
      },
      {
        name: 'huge',
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: 16,
        repetition_type: 'OPTIONAL',
        converted_type: 'DECIMAL',
        scale: 0,
        precision: 38,
      },
      { name: 'tags', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      { name: 'address', repetition_type: 'OPTIONAL', num_children: 2 },
      { name: 'city', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      { name: 'since', type: 'INT64', repetition_type: 'OPTIONAL', converted_type: 'TIMESTAMP_MICROS' },
      { name: 'doc', type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type: 'OPTIONAL' },
      { name: 'yes', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
      { name: 'ratio', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      { name: 'raw', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'id', data: [9007199254740993n] },
      { name: 'micros', data: [7n] },
      { name: 'nanos', data: [null] },
      { name: 'UPDATED_AT', data: [1769853600123456789n] },
      { name: 'at', data: [-1n] },
      { name: 'born', data: [11016] },
      { name: 'price', data: [19.99] },
      { name: 'huge', data: [-123456789012345678901234567890n] },
      { name: 'tags', data: [['a', null, 'b']] },
      { name: 'address', data: [{ city: 'Köln', since: 1000001n }] },
      { name: 'doc', data: [{ a: [1, null] }] },
      { name: 'yes', data: [true] },
      { name: 'ratio', data: [NaN] },
      { name: 'raw', data: [new Uint8Array([0, 255])] },
    ],
  });
  expect(await rowsOf()).toEqual([
    {
      id: 9_007_199_254_740_993n,
      micros: 7,
      nanos: null,
      UPDATED_AT: '2026-01-31T10:00:00.123456789Z',
      at: '1969-12-31T23:59:59.999999Z',
      born: '2000-02-29',
      price: 19.99,
      huge: -123456789012345678901234567890n,
      tags: ['a', null, 'b'],
      address: { city: 'Köln', since: '1970-01-01T00:00:01.000001Z' },
      doc: { a: [1, null] },
      yes: true,
      ratio: 'NaN',
      raw: '\\x00ff',
    },
  ]);
});

it('columns that are not needed are not read', async () => {
  await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31', payload: 'p' }]));
  expect(await rowsOf({ columns: ['ID', 'updated_at'] })).toEqual([{ id: 'a', updated_at: '2026-01-31' }]);
});

it('rows of a large row group, with many pages in each column, are numbered through', async () => {
  await write('a.parquet', {
    rowGroupSize: 60_000,
    pageSize: 16_384,
    columnData: [
      { name: 'id', type: 'INT32', data: Array.from({ length: 60_000 }, (_, at) => at) },
      {
        name: 'updated_at',
        type: 'STRING',
        nullable: true,
        data: Array.from({ length: 60_000 }, (_, at) => (at === 57_503 ? null : '2026-01-31')),
      },
    ],
  });
  const seen = new Set<unknown>();
  for await (const page of pagesOf(open(), { pageRows: 1_000 }))
    for (const { row, problem } of page.rows) seen.add(row?.id ?? problem);
  expect(seen.size).toBe(60_000);
  expect(seen).toContain('a.parquet, row 57504 has no moment in UPDATED_AT');
});

it('a large file is read in bounded memory', async () => {
  await write('a.parquet', {
    rowGroupSize: 15_000,
    columnData: [
      { name: 'id', type: 'STRING', data: Array.from({ length: 40_000 }, (_, at) => `person ${at}`) },
      {
        name: 'updated_at',
        type: 'TIMESTAMP',
        data: Array.from({ length: 40_000 }, (_, at) => new Date(1.7e12 + at)),
      },
      {
        name: 'payload',
        type: 'STRING',
        data: Array.from({ length: 40_000 }, (_, at) => 'x'.repeat(200) + at),
      },
    ],
  });
  let rows = 0;
  for await (const page of pagesOf(open(), { pageRows: 1_000 })) rows += page.rows.length;
  expect(rows).toBe(40_000);
});

describe('a file that is hostile is a problem of its own, and others are read', () => {
  const good = () => write('z.parquet', peopleFile([{ id: 'z', at: '2026-01-31', payload: 'p' }]));
  const problemOf = async (options: ThreadOptions = {}) => {
    await good();
    const rows = inShort(await readAll(open(options)));
    expect(rows).toContain('z@p');
    expect(rows).toHaveLength(2);
    return rows.find((row) => row !== 'z@p');
  };
  const path = (name: string) => join(places.folder, name);
  const footer = (bytes: number): Buffer => {
    const tail = Buffer.from('....PAR1');
    tail.writeUInt32LE(bytes);
    return tail;
  };

  it.each([
    ['is empty', Buffer.alloc(0), 'it is too short'],
    ['is something else', Buffer.from('id,updated_at\n1,2026-01-31\n'), 'it does not end with PAR1'],
    [
      'claims a footer of gigabytes',
      Buffer.concat([Buffer.alloc(64), footer(4e9)]),
      'the footer of it has 3814.7 MB',
    ],
    [
      'has a footer of garbage',
      Buffer.concat([Buffer.alloc(64, 0x9c), footer(60)]),
      "can't be read as Parquet",
    ],
  ])('that %s', async (_, content, words) => {
    writeFileSync(path('a.parquet'), content);
    expect(await problemOf()).toContain(words);
  });

  it('whose page inflates to more than its header says, or than a page may have', async () => {
    await write('a.parquet', {
      codec: 'GZIP',
      compressors: { GZIP: () => gzipSync(Buffer.alloc(100_000_000)) },
      columnData: [
        column(
          'id',
          Array.from({ length: 1000 }, (_, at) => `same ${at}`),
        ),
        column('updated_at', Array(1000).fill('2026-01-31')),
      ],
    });
    expect(await problemOf()).toContain("a.parquet can't be read as Parquet");
  });

  it('whose row group is too large: the problem says how to write smaller ones', async () => {
    const each = (cell: (at: number) => string) => Array.from({ length: 70 }, (_, at) => cell(at));
    await write('a.parquet', {
      codec: 'UNCOMPRESSED',
      columnData: [
        column('id', each(String)),
        column(
          'updated_at',
          each(() => '2026-01-31'),
        ),
        column(
          'payload',
          each((at) => at + 'x'.repeat(1_000_000)),
        ),
      ],
    });
    const problem = await problemOf();
    expect(problem).toContain(
      'a row group of it has 66.8 MB, and may have 64.0 MB: write smaller row groups',
    );
    expect(problem).toContain('row_group_size');
  });

  it('that is damaged anywhere', async () => {
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31', payload: 'x'.repeat(50) }]));
    const whole = readFileSync(path('a.parquet'));
    await good();
    for (let at = 4; at < whole.length; at += 41) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ 0xff;
      writeFileSync(path('a.parquet'), spoilt);
      expect(inShort(await readAll(open()))).toContain('z@p');
    }
  });

  it('that takes too long is given up', async () => {
    const script = path('slow.mjs');
    writeFileSync(script, 'setInterval(() => {}, 1000); for (;;);');
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31' }]));
    await expect(readAll(open({ script, threadMs: 300 }))).rejects.toThrow(
      "a.parquet can't be read as Parquet: it takes longer than 0.3 s to decode",
    );
  });

  it('that takes too much memory is given up', async () => {
    const script = path('greedy.mjs');
    writeFileSync(script, 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));');
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31' }]));
    await expect(readAll(open({ script }))).rejects.toThrow(
      "a.parquet can't be read as Parquet: it takes more than 128 MB to decode",
    );
  });
});
