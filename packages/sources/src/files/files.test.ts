import { mkdir, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { useFolder } from '@roster/testkit';
import { bounds } from '../bounds.ts';
import { openSource, readColumns } from '../open-source.ts';
import type { FolderTable, SourceSettings } from '../settings.ts';
import {
  inRoot,
  inShort,
  inTwo,
  itReadsByKey,
  itReadsInOrder,
  type Person,
  pagesOf,
  patient,
  readAll,
} from '../testbed.ts';
import { openFiles } from './files.ts';
import { openFolder } from './folder.ts';
import { ndjson } from './ndjson.ts';
import type { Format } from './reading.ts';

const inFiles = useFolder({ forEach: true });
const inShop = (name: string) => inFiles('shop', name);

const settings = (more: Partial<FolderTable> = {}): Extract<SourceSettings, { kind: 'files' }> => ({
  kind: 'files',
  ...inRoot(inFiles('shop')),
  format: 'ndjson',
  updatedAt: 'UPDATED_AT',
  tie: 'id',
  ...more,
});
const open = (more: Partial<FolderTable> = {}) => openSource(settings(more), patient);
const write = (name: string, lines: readonly string[]) => writeFile(inShop(name), lines.join('\n'));
const line = (id: string, updated_at: string, payload = 'p') => JSON.stringify({ id, updated_at, payload });
const fill = async (people: readonly Person[]) => {
  const [some, others] = inTwo(people).map((half) =>
    half.map(({ at, ...rest }) => JSON.stringify({ ...rest, updated_at: at })),
  );
  await write('b.ndjson', some ?? []);
  await write('a.ndjson', others ?? []);
};

beforeEach(() => mkdir(inFiles('shop')));

describe('files of lines of JSON in a folder', () => {
  describe('as any source', () => {
    itReadsInOrder({ fill, open });
  });
  it('lets its caller hold up the reading of files, which are sorted before the first page', async () => {
    await fill(['a', 'b'].map((id) => ({ id, at: '2026-01-01T00:00:00Z', payload: 'p' })));
    const held = new Error('held up');
    const rest = () => Promise.reject(held);
    await expect(readAll(open(), { rest })).rejects.toBe(held);
  });
  it('counts the rows of new files whose time lies before the place from which it reads', async () => {
    await write('a.ndjson', [line('a', '2026-01-31'), line('b', '2026-02-01')]);
    const [source, { signal }] = [open(), new AbortController()];
    const since = (await readAll(source)).at(-1)?.cursor;
    const before = new Date('2026-03-01T00:00:00Z');
    await utimes(inShop('a.ndjson'), before, new Date(before.getTime() - 5_000));
    expect(await source.missed?.(since, before, signal)).toEqual({ late: 0 });
    await write('b.ndjson', [line('c', '2026-01-30'), line('d', '2026-01-31'), line('e', '2026-02-02')]);
    await utimes(inShop('b.ndjson'), before, before);
    expect(await source.missed?.(since, before, signal)).toEqual({ late: 2 });
    const told = jest.fn();
    expect(inShort(await readAll(source, { since, late: { before, told } }))).toEqual(['e@p']);
    expect(told.mock.calls).toEqual([[2]]);
    expect(await source.missed?.(undefined, before, signal)).toEqual({});
  });
  it('tells what is no row of a new file, however old the row before it is, and once', async () => {
    await write('a.ndjson', [line('a', '2026-01-31'), line('b', '2026-02-01')]);
    const source = open();
    const since = (await readAll(source)).at(-1)?.cursor;
    const before = new Date('2026-03-01T00:00:00Z');
    await utimes(inShop('a.ndjson'), before, new Date(before.getTime() - 5_000));
    const bad = line('f', 'yesterday');
    await write('b.ndjson', [line('c', '2026-01-30'), bad, '{"id":', line('d', '2026-02-02')]);
    await utimes(inShop('b.ndjson'), before, before);
    const told = jest.fn();
    const rows = await readAll(source, { since, late: { before, told } });
    expect(rows.map(({ row, problem }) => problem ?? row?.id)).toEqual([
      expect.stringContaining('b.ndjson, line 2 has no moment in'),
      expect.stringContaining('b.ndjson, line 3'),
      'd',
    ]);
    expect(told.mock.calls).toEqual([[1]]);
    await utimes(inShop('b.ndjson'), before, new Date(before.getTime() - 5_000));
    expect(inShort(await readAll(source, { since, late: { before, told } }))).toEqual(['d@p']);
  });
  describe('by their keys', () => {
    itReadsByKey({ fill, open: () => openSource({ ...settings(), updatedAt: undefined }, patient) });
  });
  describe.each([
    ['disk', { sortMemoryBytes: 500, sortDiskBytes: 8_000, mergeBytes: 1e6 }],
    ['memory to merge', { sortMemoryBytes: 500, sortDiskBytes: 1e9, mergeBytes: 3_000 }],
  ])('in many passes, as there is little %s', (_, sort) => {
    itReadsInOrder({
      fill,
      open: () => openFiles(openFolder(settings()), settings(), { limits: patient, sort }),
    });
  });

  it('are read in the order of moments, whatever their zone and precision', async () => {
    const moments = [
      '2026-01-31T10:00:00+02:00',
      '2026-01-31 08:00:00.000000001',
      '2026-01-31T08:00:00.5Z',
      '2026-02-01',
    ];
    await write(
      'a.ndjson',
      [...moments].reverse().map((moment, at) => line(String(at), moment, moment)),
    );
    expect((await readAll(open())).map(({ row }) => row?.payload)).toEqual(moments);
  });

  it('keep every digit of whole numbers', async () => {
    await write('a.ndjson', ['{"id": 9007199254740993, "updated_at": "2026-01-31"}']);
    expect((await readAll(open()))[0]?.row?.id).toBe(9_007_199_254_740_993n);
  });

  it('have the columns of the first rows of each file', async () => {
    await write('a.ndjson', ['{"id":"1","updated_at":"2026-01-31"}']);
    await write('b.jsonl', ['no JSON', '{"id":"2","updated_at":"2026-01-31","plan":"gold"}']);
    const columns = await readColumns(settings());
    expect(columns.map(({ name }) => name)).toEqual(['id', 'updated_at', 'plan']);
  });

  it('that are hidden, or have another ending, are left out', async () => {
    await write('.a.ndjson', [line('hidden', '2026-01-31')]);
    await write('_b.ndjson', [line('hidden', '2026-01-31')]);
    await write('read.me', [line('other', '2026-01-31')]);
    await mkdir(inShop('folder.ndjson'));
    await write('A.NDJSON', [line('1', '2026-01-31')]);
    expect(inShort(await readAll(open()))).toEqual(['1@p']);
  });
});

describe('what is no row', () => {
  const deep = `{"id":"4","updated_at":"2026-01-31","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const lines = ['{"id": 1', '[]', line('3', '2026-01-31'), '{"id": 2, "updated_at": "yesterday"}', '', deep];
  const problems = [
    'a.ndjson, line 1 is no object of JSON',
    'a.ndjson, line 2 is no object of JSON',
    'a.ndjson, line 4 has no moment in UPDATED_AT',
    'a.ndjson, line 6 is nested more than 100 deep',
  ];

  it('is told by its line, once, and the others are read', async () => {
    await write('a.ndjson', lines);
    const source = open();
    const rows = await readAll(source);
    expect(rows.flatMap(({ problem }) => problem ?? [])).toEqual(problems);
    expect(rows.flatMap(({ row }) => row?.id ?? [])).toEqual(['3']);
    expect(await readAll(source, { since: rows.at(-1)?.cursor })).toEqual([]);
  });

  it('and a file without rows take no cursor ahead of the rows', async () => {
    await write('a.ndjson', lines);
    await write('broken.ndjson', ['nothing', 'of JSON']);
    const source = open();
    const first = await readAll(source);
    expect(inShort(first)).toContain(
      'broken.ndjson: broken.ndjson has no rows: broken.ndjson, line 1 is no object of JSON',
    );
    // Files are written today; rows are older.
    await write('c.ndjson', [line('late', '2026-02-01')]);
    expect(inShort(await readAll(source, { since: first.at(-1)?.cursor }))).toContain('late@p');
  });

  it('at the begin of a file may be a thousand lines: then it has no rows', async () => {
    await write('a.ndjson', [...Array(1_001).fill('x'), line('1', '2026-01-31')]);
    await write('b.ndjson', [...Array(1_000).fill('x'), line('2', '2026-01-31')]);
    const rows = inShort(await readAll(open()));
    expect(rows).toHaveLength(1_002);
    expect(rows).toContain('2@p');
    expect(rows).toContain('a.ndjson: a.ndjson has no rows: a.ndjson, line 1 is no object of JSON');
  });

  it('in all files is an error', async () => {
    await write('a.ndjson', ['{"id": 1, "updated_at": "yesterday"}']);
    await expect(readAll(open())).rejects.toMatchObject({ code: 'wrong_type', kind: 'config' });
    await expect(open().test()).rejects.toThrow(
      'no row of the folder shop has a moment in UPDATED_AT: it must look like 2026-01-31T10:00:00Z',
    );
  });
});

describe('a folder', () => {
  it.each([
    [
      'that is not there',
      { folder: 'none' },
      'table_missing',
      'FILES_DIR has no folder none that can be read',
    ],
    ['without files', {}, 'table_missing', 'no row in a file that ends with .ndjson or .jsonl'],
  ])('%s is told in words', async (_, more, code, words) => {
    for (const work of [() => open(more).test(), () => readColumns(settings(more))])
      await expect(work()).rejects.toMatchObject({
        code,
        kind: 'config',
        message: expect.stringContaining(words),
      });
  });

  it.each(['', '..', '.', '/etc', 'shop/..', '../shop', 'shop/deeper', 'a\0b', '-'])(
    'is the name of one in FILES_DIR, and not %j',
    (name) => {
      expect(() => open({ folder: name })).toThrow('the folder must be the name of a folder in FILES_DIR');
    },
  );

  it('is none without FILES_DIR', () => {
    expect(() => open({ root: '' })).toThrow(
      'the connection reads the folder shop, but FILES_DIR is not set',
    );
  });

  it('may not lead out of FILES_DIR', async () => {
    await symlink(tmpdir(), inFiles('out'));
    await symlink(inFiles(), inFiles('all'));
    for (const name of ['out', 'all'])
      await expect(open({ folder: name }).test()).rejects.toThrow(`${name} is a link to a place outside of`);
  });

  it('has no file that is a link, wherever it leads', async () => {
    await writeFile(inFiles('secret'), line('of others', '2026-01-31'));
    await write('b.ndjson', [line('1', '2026-01-31')]);
    await symlink(inFiles('secret'), inShop('a.ndjson'));
    await symlink('b.ndjson', inShop('c.ndjson'));
    expect(inShort(await readAll(open()))).toEqual([
      '1@p',
      'a.ndjson: a.ndjson is a link, and links are not followed',
      'c.ndjson: c.ndjson is a link, and links are not followed',
    ]);
  });

  it.each([{ files: 1 }, { fileNames: 1 }, { filesBytes: 10 }])('has no more than %j', async (more) => {
    await write('a.ndjson', [line('1', '2026-01-31')]);
    await write('b.ndjson', [line('2', '2026-01-31')]);
    const source = openFiles(openFolder(settings(), { ...bounds, ...more }), settings());
    await expect(readAll(source)).rejects.toMatchObject({ code: 'too_large', kind: 'config' });
  });
});

describe('a file that is exchanged between its listing and its reading', () => {
  /** Something happens before the second file is read. */
  const reading = (happens: () => Promise<unknown>) => {
    const format: Format = {
      ...ndjson,
      async *read(options) {
        if (options.file.name === 'b.ndjson') await happens();
        yield* ndjson.read(options);
      },
    };
    return readAll(openFiles(openFolder(settings()), settings(), { limits: patient, format }));
  };
  const path = () => inShop('b.ndjson');
  beforeEach(async () => {
    for (const name of ['a.ndjson', 'b.ndjson', 'other']) await write(name, [line(name, '2026-01-31')]);
  });

  it.each([
    ['for a longer one', () => write('b.ndjson', [line('b', '2026-01-31', 'longer')])],
    ['for another one', () => rename(inShop('other'), path())],
    ['for a newer one', () => utimes(path(), new Date(), new Date())],
    ['for nothing', () => unlink(path())],
    ['for a link', () => unlink(path()).then(() => symlink('other', path()))],
  ])('%s is noticed before any row is given', async (_, happens) => {
    await expect(reading(happens)).rejects.toMatchObject({
      code: 'file_changed',
      kind: 'passing',
      message: 'b.ndjson was changed or removed while it was read',
    });
  });
});

it('a source that is closed reads no more', async () => {
  await write(
    'a.ndjson',
    Array.from({ length: 600 }, (_, at) => line(String(at), '2026-01-31')),
  );
  const source = open();
  const read = async () => {
    for await (const _ of pagesOf(source, { pageRows: 1 })) await source.close();
  };
  await expect(read()).rejects.toMatchObject({ code: 'connection_lost' });
});
