import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type ParquetOptions, writeParquet } from '@roster/testkit';
import { openFolder } from '../files/folder.ts';
import { inRoot, inShort, type Person, pagesOf, readAll } from '../testbed.ts';
import { useParquet } from './testbed.ts';
import { rowsOfThread, type ThreadOptions } from './thread.ts';

const { inFolder, inThread, open, rowsOf } = useParquet();

const write = (name: string, options: ParquetOptions) => writeParquet(inFolder(name), options);

const textsOf = (columns: Record<string, (string | null)[]>, more = {}): ParquetOptions => ({
  ...more,
  columnData: Object.entries(columns).map(([name, data]) => ({ name, type: 'STRING', data })),
});

const peopleFile = (people: readonly Person[], more = {}): ParquetOptions =>
  textsOf(
    {
      id: people.map(({ id }) => id),
      updated_at: people.map(({ at }) => at),
      payload: people.map(({ payload }) => payload ?? null),
    },
    more,
  );

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
  const store = openFolder(inRoot(inFolder()));
  const { signal } = new AbortController();
  const [file] = await store.list(['.parquet'], signal);
  const heard: string[] = [];
  const read = async (reader: string, until: (n: number) => Promise<unknown>): Promise<void> => {
    const rows = file && rowsOfThread({ store, file, columns: undefined, signal }, inThread());
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

// What the files of other libraries do not have: writers.test.ts.
it('whole decimals of 38 digits, JSON, what is no number and bytes of one length are plain and exact', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const;
  const bytes = { type: 'FIXED_LEN_BYTE_ARRAY', ...optional } as const;
  await write('a.parquet', {
    schema: [
      { name: 'root', num_children: 6 },
      { name: 'id', type: 'INT64', ...optional },
      { name: 'UPDATED_AT', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...optional },
      { name: 'huge', ...bytes, type_length: 16, converted_type: 'DECIMAL', scale: 0, precision: 38 },
      { name: 'doc', type: 'BYTE_ARRAY', converted_type: 'JSON', ...optional },
      { name: 'ratio', type: 'DOUBLE', ...optional },
      { name: 'raw', ...bytes, type_length: 2 },
    ],
    columnData: [
      { name: 'id', data: [7n] },
      { name: 'UPDATED_AT', data: [1769853600123456n] },
      { name: 'huge', data: [-123456789012345678901234567890n] },
      { name: 'doc', data: [{ a: [1, null] }] },
      { name: 'ratio', data: [NaN] },
      { name: 'raw', data: [new Uint8Array([0, 255])] },
    ],
  });
  expect(await rowsOf()).toEqual([
    {
      id: 7,
      UPDATED_AT: '2026-01-31T10:00:00.123456Z',
      huge: -123456789012345678901234567890n,
      doc: { a: [1, null] },
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

describe('a file that is hostile is a problem of its own, and others are read', () => {
  const good = () => write('z.parquet', peopleFile([{ id: 'z', at: '2026-01-31', payload: 'p' }]));
  const problemOf = async (options: ThreadOptions = {}) => {
    await good();
    const rows = inShort(await readAll(open(options)));
    expect(rows).toContain('z@p');
    expect(rows).toHaveLength(2);
    return rows.find((row) => row !== 'z@p');
  };
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
    writeFileSync(inFolder('a.parquet'), content);
    expect(await problemOf()).toContain(words);
  });

  it('whose page inflates to more than its header says, or than a page may have', async () => {
    await write('a.parquet', {
      codec: 'GZIP',
      compressors: { GZIP: () => gzipSync(Buffer.alloc(100_000_000)) },
      ...textsOf({
        id: Array.from({ length: 1000 }, (_, at) => `same ${at}`),
        updated_at: Array(1000).fill('2026-01-31'),
      }),
    });
    expect(await problemOf()).toContain("a.parquet can't be read as Parquet");
  });

  it('whose row group is too large: the problem says how to write smaller ones', async () => {
    const people = Array.from({ length: 70 }, (_, at) => ({
      id: String(at),
      at: '2026-01-31',
      payload: at + 'x'.repeat(1_000_000),
    }));
    await write('a.parquet', peopleFile(people, { codec: 'UNCOMPRESSED' }));
    const problem = await problemOf();
    expect(problem).toContain(
      'a row group of it has 66.8 MB, and may have 64.0 MB: write smaller row groups',
    );
    expect(problem).toContain('row_group_size');
  });

  it('that is damaged anywhere', async () => {
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31', payload: 'x'.repeat(50) }]));
    const whole = readFileSync(inFolder('a.parquet'));
    await good();
    for (let at = 4; at < whole.length; at += 41) {
      const spoilt = Buffer.from(whole);
      spoilt[at] = (spoilt[at] ?? 0) ^ 0xff;
      writeFileSync(inFolder('a.parquet'), spoilt);
      expect(inShort(await readAll(open()))).toContain('z@p');
    }
  });

  it('that takes too long is given up', async () => {
    const script = inFolder('slow.mjs');
    writeFileSync(script, 'setInterval(() => {}, 1000); for (;;);');
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31' }]));
    await expect(readAll(open({ script, threadMs: 300 }))).rejects.toThrow(
      "a.parquet can't be read as Parquet: it takes longer than 0.3 s to decode",
    );
  });

  it('that takes too much memory is given up', async () => {
    const script = inFolder('greedy.mjs');
    writeFileSync(script, 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));');
    await write('a.parquet', peopleFile([{ id: 'a', at: '2026-01-31' }]));
    await expect(readAll(open({ script }))).rejects.toThrow(
      "a.parquet can't be read as Parquet: it takes more than 128 MB to decode",
    );
  });
});
