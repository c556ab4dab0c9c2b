import { writeFile } from 'node:fs/promises';
import { useFolder } from '@roster/testkit';
import { openSource } from '../open-source.ts';
import { inRoot, inShort, inTwo, itReadsInOrder, type Person, patient, readAll } from '../testbed.ts';

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe('files of CSV in a folder', () => {
  const inFolder = useFolder({ forEach: true });
  const open = () =>
    openSource(
      { kind: 'files', ...inRoot(inFolder()), format: 'csv', updatedAt: 'UPDATED_AT', tie: 'id' },
      patient,
    );
  const write = (name: string, ...records: readonly string[]) =>
    writeFile(inFolder(name), records.join('\r\n'));
  const row = ({ id, at, payload }: Person) => [id ?? '', at, payload ?? ''].map(quoted).join(',');
  const fill = async (people: readonly Person[]) => {
    const [some, others] = inTwo(people);
    await write('b.csv', 'id,updated_at,payload', ...some.map(row));
    await write('a.csv', 'id,updated_at,payload', ...others.map(row));
  };
  const rowsOf = async (...records: string[]) => {
    await write('a.csv', ...records);
    return (await readAll(open())).map((one) => one.row ?? one.problem);
  };

  it('whatever name a column has, its cells are members of the row', async () => {
    const [row] = await rowsOf('id,updated_at,__proto__,toString', 'a,2026-01-31,own,');
    expect(Object.entries(row ?? {})).toEqual([
      ['id', 'a'],
      ['updated_at', '2026-01-31'],
      ['__proto__', 'own'],
      ['toString', null],
    ]);
  });

  describe('as any source', () => {
    // In CSV an empty id is no id.
    itReadsInOrder({ fill, open });
  });

  it('have a header, quotes, line breaks of Windows and a byte order mark; empty cells are null', async () => {
    const rows = await rowsOf(
      '\uFEFFid, id2 ,"name",UPDATED_AT,note',
      '007,,"O""Brien, Pat",2026-01-31T10:00:00.123456789+01:00,"two\r\nlines"',
      '',
      '8,,,2026-01-31 10:00:00.5,""',
    );
    expect(rows).toEqual([
      {
        id: '007',
        id2: null,
        name: 'O"Brien, Pat',
        UPDATED_AT: '2026-01-31T10:00:00.123456789+01:00',
        note: 'two\r\nlines',
      },
      { id: '8', id2: null, name: null, UPDATED_AT: '2026-01-31 10:00:00.5', note: null },
    ]);
  });

  it('say of each bad row what is wrong, and read the others', async () => {
    const rows = await rowsOf(
      'id,UPDATED_AT',
      '1,2026-01-31',
      '2',
      '3,2026-01-31,more',
      '4,"2026"-01-31',
      '5,yesterday',
      `6,${'x'.repeat(1_100_000)}`,
      '7,2026-02-01',
    );
    const problems = rows.filter((row) => typeof row === 'string');
    expect(rows.filter((row) => typeof row !== 'string')).toMatchObject([{ id: '1' }, { id: '7' }]);
    expect(problems).toEqual(
      expect.arrayContaining([
        'a.csv, line 3 has 1 cells, and the header has 2',
        'a.csv, line 4 has 3 cells, and the header has 2',
        'a.csv, line 5 has a quote that is not closed, or something follows it',
        'a.csv, line 6 has no moment in UPDATED_AT',
        'a.csv, line 7: the row has 1.0 MB, and a row may have 1.0 MB',
      ]),
    );
    expect(problems).toHaveLength(5);
  });

  it.each([
    ['names twice', 'id,id,UPDATED_AT', 'a.csv has more than one column "id"'],
    [
      'more columns than a table may have',
      `UPDATED_AT,${Array.from({ length: 1_000 }, (_, at) => `c${at}`)}`,
      'a.csv has 1001 columns, and a table may have 1000',
    ],
    [
      'no end within bounds',
      'x'.repeat(1_100_000),
      'a.csv has no header: its first line must name the columns',
    ],
  ])('with a header that has %s are reported once, and other files are read', async (_, header, problem) => {
    await write('a.csv', header, '1,2026-01-31', '2,2026-01-31');
    await expect(open().test()).rejects.toThrow(problem);
    await write('b.csv', 'id,UPDATED_AT,payload', '1,2026-01-31,p');
    const rows = inShort(await readAll(open()));
    expect(rows).toEqual(['1@p', `a.csv: ${problem}`]);
  });

  it('with a quote that is never closed lose that row, and no more', async () => {
    const rows = await rowsOf('id,UPDATED_AT', '1,2026-01-31', '2,"2026-01-31', '3,2026-01-31');
    expect(rows).toEqual([
      expect.objectContaining({ id: '1' }),
      expect.objectContaining({ id: '3' }),
      'a.csv, line 3 has a quote that is not closed, or something follows it',
    ]);
  });
});
