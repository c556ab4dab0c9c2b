import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../open-source.ts';
import { itReadsInOrder, type Person, readAll } from '../testbed.ts';
import { openTableOf } from './files.ts';
import { openFolder } from './folder.ts';

describe('files of lines of JSON in a folder', () => {
  let folder = '';
  const settings = () => ({
    kind: 'files' as const,
    folder,
    format: 'ndjson' as const,
    updatedAt: 'UPDATED_AT',
    tie: 'id',
  });
  const write = (name: string, lines: readonly string[]) => writeFile(join(folder, name), lines.join('\n'));
  const fill = async (people: readonly Person[]) => {
    const lines = people.map(({ at, ...rest }) => JSON.stringify({ ...rest, updated_at: at }));
    await write('b.ndjson', lines.filter((_, at) => at % 2 === 0).reverse());
    await write(
      'a.ndjson',
      lines.filter((_, at) => at % 2 === 1),
    );
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roster-files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  describe('as any source', () => {
    itReadsInOrder({ fill, open: () => openSource(settings()) });
  });
  describe('in many passes', () => {
    itReadsInOrder({
      fill,
      open: () =>
        openTableOf(openFolder(folder), settings(), { sort: { sortMemoryBytes: 500, sortDiskBytes: 8_000 } }),
    });
  });

  it('reads all moments in their order, whatever their zone and precision', async () => {
    const moments = [
      '2026-01-31T10:00:00+02:00',
      '2026-01-31 08:00:00.000000001',
      '2026-01-31T08:00:00.5Z',
      '2026-02-01',
    ];
    await write(
      'a.ndjson',
      [...moments]
        .reverse()
        .map((updated_at, at) => JSON.stringify({ id: at, updated_at, payload: updated_at })),
    );
    const rows = await readAll(openSource(settings()));
    expect(rows.map(({ row }) => row?.payload)).toEqual(moments);
  });

  it('says which lines are none, once', async () => {
    await write('a.ndjson', [
      '{"id": 1',
      '[]',
      '{"id": 2, "updated_at": "yesterday"}',
      '',
      '{"id": 3, "updated_at": "2026-01-31"}',
    ]);
    const source = openSource(settings());
    const rows = await readAll(source);
    expect(rows.slice(1).map(({ problem }) => problem)).toEqual([
      'a.ndjson, line 1 is no object of JSON',
      'a.ndjson, line 2 is no object of JSON',
      'a.ndjson, line 3 has no moment in UPDATED_AT',
    ]);
    expect(await readAll(source, { since: rows.at(-1)?.cursor })).toEqual([]);
  });

  it('has no such folder', async () => {
    const source = openSource({ ...settings(), folder: join(folder, 'none') });
    await expect(source.test()).rejects.toMatchObject({ code: 'table_missing', kind: 'config' });
  });
});
