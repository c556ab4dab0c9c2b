/** Files as other programs write them: each comes in right, or is told with what to do. */
import type { CsvOptions } from './csv-rows.ts';
import { createLooks } from './looks.ts';
import { type CsvFormat, rowsOf } from './source.ts';

const usual: CsvFormat = { type: 'attributes', map: {}, types: false, delimiter: ',' };

async function* bytesOf(content: string | Buffer) {
  yield Buffer.from(content);
}

const imported = async (content: string | Buffer, changes: Partial<CsvFormat> = {}) => {
  const looks = createLooks();
  const rows = [];
  const source = rowsOf({
    bytes: bytesOf(content),
    position: { bytes: 0, line: 1 },
    format: { csv: { ...usual, ...changes } },
    onHeader: ({ columns }) => looks.begin(columns),
    onCells: looks.see,
  });
  for await (const { fault, entries } of source) rows.push(fault ?? entries[0]?.value);
  return { rows, looks: looks.looks() };
};

/** PostgreSQL 15: psql \copy ... csv header, and with force_quote * as pgAdmin exports. */
const copied = `external_id,age,vip,joined,note,zip
7,36,t,2026-01-31 12:00:00+00,"two
lines, ""so""",01234
8,,f,2026-02-01 00:00:00.5+00,"",94107
9,41,,,back\\slash,00501
`;
const quoted = `external_id,age,vip,joined,note,zip
"7","36","t","2026-01-31 12:00:00+00","two
lines, ""so""","01234"
"8",,"f","2026-02-01 00:00:00.5+00","","94107"
"9","41",,,"back\\slash","00501"
`;
/** csv.writer of Python: dialects excel, excel with ;, excel-tab, unix. */
const python = {
  excel:
    'external_id,age,vip,joined,note\r\n7,36,True,29.11.2026,"two\nlines, ""so"""\r\n8,,False,30.11.2026,""""\r\n',
  semicolon:
    'external_id;age;vip;joined;note\r\n7;36;True;29.11.2026;"two\nlines, ""so"""\r\n8;;False;30.11.2026;""""\r\n',
  tab: 'external_id\tage\tvip\tjoined\tnote\r\n7\t36\tTrue\t29.11.2026\t"two\nlines, ""so"""\r\n8\t\tFalse\t30.11.2026\t""""\r\n',
  unix: '"external_id","age","vip","joined","note"\n"7","36","True","29.11.2026","two\nlines, ""so"""\n"8","","False","30.11.2026",""""\n',
};
const typed = { age: 'number', vip: 'boolean', joined: 'date' } as const;
const note = 'two\nlines, "so"';

describe('a file of', () => {
  it.each([
    ['psql \\copy', copied],
    ['pgAdmin', quoted],
  ])('%s comes in, and its columns are told', async (_, content) => {
    const { rows, looks } = await imported(content);
    const [first, second, third] = rows;
    expect(first).toEqual({
      external_id: '7',
      age: '36',
      vip: 't',
      joined: '2026-01-31 12:00:00+00',
      note,
      zip: '01234',
    });
    expect([second, third]).toEqual([
      { external_id: '8', vip: 'f', joined: '2026-02-01 00:00:00.5+00', zip: '94107' },
      { external_id: '9', age: '41', note: 'back\\slash', zip: '00501' },
    ]);
    expect(looks.map(({ column, looks_like }) => [column, looks_like])).toEqual([
      ['age', 'numbers'],
      ['vip', 'true/false'],
    ]);
  });

  it.each([
    ['Python and Google Sheets', python.excel, ','],
    ['Excel, as CSV UTF-8', `\uFEFF${python.excel}`, ','],
    ['Excel in Europe', `\uFEFF${python.semicolon}`, ';'],
    ['Excel, with tabs', python.tab, '\t'],
    ['Python with all cells quoted', python.unix, ','],
    ['Python with all cells quoted, and a mark of the byte order', `\uFEFF${python.unix}`, ','],
  ])('%s comes in with its types', async (_, content, delimiter) => {
    const { rows, looks } = await imported(content, { delimiter, typed });
    expect(rows).toEqual([
      { external_id: '7', age: 36, vip: true, joined: '2026-11-29', note },
      { external_id: '8', vip: false, joined: '2026-11-30', note: '"' },
    ]);
    expect(looks).toEqual([]);
  });

  it('MySQL (INTO OUTFILE) comes in where it has no escapes, and is told', async () => {
    const { rows, looks } = await imported(
      'external_id,city,n\n7,\\N,1\n8,"say \\"hi\\"",1\n8,x,2\n9,Smith\\, Ada,1\n10,x\n11,one\\\nline,1\n',
    );
    expect(rows).toEqual([
      { external_id: '7', n: '1' },
      { code: 'QUOTES_WRONG', sentence: expect.stringContaining('backslashes') },
      { external_id: '8', city: 'x', n: '2' },
      {
        code: 'CELLS_DO_NOT_MATCH',
        sentence: expect.stringMatching(/has 4 cells, the header 3.*backslashes/),
      },
      { code: 'CELLS_DO_NOT_MATCH', sentence: 'the row has 2 cells, the header 3' },
      { code: 'CELLS_DO_NOT_MATCH', sentence: expect.stringMatching(/2 cells, the header 3.*line breaks/) },
      { code: 'CELLS_DO_NOT_MATCH', sentence: 'the row has 2 cells, the header 3' },
    ]);
    expect(looks).toContainEqual({
      column: 'city',
      looks_like: '\\N',
      sentence: expect.stringContaining('Such cells are left out'),
    });
  });

  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  it.each<[string, string | Buffer, RegExp]>([
    ['Excel, as Unicode text', utf16('external_id\temail\r\n'), /UTF-16.*iconv -f UTF-16/],
    ['PowerShell', utf16('external_id,email\r\n').swap16(), /UTF-16/],
    ['UTF-16 without a mark', Buffer.from('external_id,email\n', 'utf16le'), /UTF-16/],
    ['Excel, as CSV Macintosh', 'external_id,email\r7,a@example.com\r', /tr '\\r' '\\n'/],
    ['two carriage returns', 'external_id,email\r\r\n7,a@example.com\r\r\n', /tr '\\r' '\\n'/],
    ['Excel, with sep=', 'sep=;\r\nexternal_id;email\r\n', /tail -n \+2.*--delimiter ';'/],
    [
      'Excel, in the code page of Windows',
      Buffer.from('external_id,Größe\n', 'latin1'),
      /CSV UTF-8.*WINDOWS-1252/,
    ],
    ['Excel, as a workbook', Buffer.from('PK\u0003\u0004\u0014\0'), /workbook/],
    ['a program that calls a page a workbook', '<html><table>', /HTML or XML.*CSV UTF-8/],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), /gunzip/],
    ['a quote in the header', 'external_id,"email\n7,a@example.com\n', /a quote in it is not closed/],
    ['semicolons', 'external_id;email\n', /--delimiter ';'/],
    ['nothing', '\n\n', /^$/],
  ])('%s is told', async (_, content, sentence) => {
    const said = await imported(content).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(said).toMatch(sentence);
  });
});

describe('a column of', () => {
  const looksOf = async (title: string, cells: readonly string[], changes: Partial<CsvOptions> = {}) => {
    const rows = cells.map((cell, i) => `${i},"${cell}"\n`).join('');
    const { looks } = await imported(`external_id,${title}\n${rows}`, changes);
    return looks.map(({ sentence }) => sentence).join();
  };

  it.each([
    ['age', ['36', '', '7'], 'age looks like numbers: it is imported as texts; --types age=number makes'],
    ['score', ['1.5', '-2'], '--types score=number'],
    ['Umsatz', ['1,5', '2', '1.234,50'], '--types Umsatz=comma'],
    ['is vip', ['TRUE', 'FALSE'], "--types 'is vip=boolean'"],
    ['vip', ['t', 'f'], '--types vip=boolean'],
    ['joined', ['29.11.2026', '1.2.2026'], '--types joined=date'],
    ['joined', ['1.2.26', '29.11.26'], 'write them like 2026-11-29'],
    ['joined', ['29.11.26 12:00'], 'write them like 2026-11-29'],
  ])('%s with %j is told', async (title, cells, sentence) => {
    expect(await looksOf(title, cells)).toContain(sentence);
  });

  it.each([
    ['branch', ['00501', '12345']],
    ['zip', ['94107']],
    ['Postleitzahl', ['10115']],
    ['mobile', ['15112345678']],
    ['contact', ['4915112345678']],
    ['contact', ['+49151123']],
    ['crm_id', ['17']],
    ['customerId', ['17']],
    ['big', ['9007199254740993']],
    ['amount', ['1,500', '2,000']],
    ['mixed', ['1', 'x']],
    ['joined', ['2026-11-29', '2026-11-29T12:00:00Z', '2026-11-29 12:00:00+00']],
    ['phone', ['49']],
    ['first_name', ['1']],
    ['nothing', ['']],
  ])('%s with %j is none to be told', async (title, cells) => {
    expect(await looksOf(title, cells)).toBe('');
  });

  const dmy = '--types born=date-dmy reads them with the day first';
  const mdy = '--types born=date-mdy reads them with the month first';
  it.each<[string[], string]>([
    [
      ['21/12/1980', '05/11/1980'],
      `with the day first (21/12/1980). 05/11/1980 is read with the month first, as 1980-05-11; 21/12/1980 stays a text. ${dmy} (05/11/1980 becomes 1980-11-05)`,
    ],
    [
      ['05/11/1980', '04/04/1980'],
      `such as 05/11/1980, with the day or the month first. 05/11/1980 is read with the month first, as 1980-05-11. ${dmy} (05/11/1980 becomes 1980-11-05), ${mdy} (05/11/1980 becomes 1980-05-11)`,
    ],
    [['', 'unknown', '5-11-1980'], '5-11-1980 is read with the month first, as 1980-05-11'],
    [
      ['11/29/1980', '1/2/1980'],
      `with the month first (11/29/1980). 1/2/1980 is read with the month first, as 1980-01-02. ${mdy}`,
    ],
    [['29/11/1980', '11/29/1980'], 'with the day first (29/11/1980) and with the month first (11/29/1980)'],
    [['5.11.1980'], `with the day first (5.11.1980). 5.11.1980 stays a text. ${dmy}`],
    [
      ['5/11/1980 2:30 PM'],
      `stays a text. ${dmy} (5/11/1980 2:30 PM becomes 1980-11-05T14:30), ${mdy} (5/11/1980 2:30 PM becomes 1980-05-11T14:30)`,
    ],
  ])('dates %j is told with what becomes of them', async (cells, sentence) => {
    const said = await looksOf('born', cells);
    expect(said).toMatch(/^born has dates (with|such)/);
    expect(said).toContain(sentence);
  });

  const memberLooks = async (...lines: object[]) => {
    const looks = createLooks();
    const bytes = bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const seen = { onEntries: looks.seeEntries };
    for await (const row of rowsOf({ bytes, position: { bytes: 0, line: 1 }, format: {}, ...seen }))
      expect(row.fault).toBeUndefined();
    return looks.looks().map(({ sentence }) => sentence);
  };

  it('of NDJSON, dates are told with what becomes of them', async () => {
    const hired = { external_id: 'a', hired: '21/12/1980' };
    expect(await memberLooks(hired, { external_id: 'b', hired: '05/11/1980' })).toEqual([
      'hired has dates with the day first (21/12/1980). 05/11/1980 is read with the month first, as 1980-05-11; 21/12/1980 stays a text. Write them like 2026-11-29',
    ]);
    const event = { external_id: 'a', name: 'x', time: '05/11/2024' };
    expect(await memberLooks(event)).toEqual([expect.stringContaining('as 2024-05-11')]);
    const exported = { external_id: 'a', user_aliases: [], custom_attributes: { since: '1.2.2024' } };
    expect(await memberLooks(exported)).toEqual([expect.stringContaining('since has dates')]);
  });

  it('of NDJSON, other texts are not told, and many names only in part', async () => {
    const person = {
      external_id: '05/11/2024',
      first_name: '05/11/2024',
      hired: '2024-11-05',
      note: 'x 1/2/24',
    };
    expect(await memberLooks(person)).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`at${n}`, '05/11/2024']));
    expect(await memberLooks({ external_id: 'a', ...many })).toHaveLength(50);
  });

  it('dates is told for properties, the time of events, and where text is said', async () => {
    const events = { type: 'event' } as const;
    expect(await looksOf('time', ['05/11/2024'], events)).toContain('as 2024-05-11');
    expect(await looksOf('due', ['05/11/2024'], events)).toContain('imported as they stand. --types due=');
    expect(await looksOf('born', ['05/11/2024'], { typed: { born: 'text' } })).toContain('as 2024-05-11');
    expect(await looksOf('born', ['05/11/2024'], { types: true })).toContain('as 2024-05-11');
    for (const type of ['date', 'date-dmy', 'date-mdy'] as const)
      expect(await looksOf('born', ['05/11/2024'], { typed: { born: type } })).toBe('');
  });

  it('a given type is not told, nor what --types reads by itself', async () => {
    expect(await looksOf('age:text', ['36'])).toBe('');
    expect(await looksOf('age', ['36'], { typed: { age: 'text' } })).toBe('');
    expect(await looksOf('age', ['36'], { types: true })).toBe('');
    expect(await looksOf('age', ['1,5'], { types: true })).toContain('age=comma');
    expect(await looksOf('age', ['36'], { map: { age: '' } })).toBe('');
  });
});

describe('ids that a program took for numbers', () => {
  it.each([
    ['external_id', '1.23457E+11'],
    ['external_id', '1,23457E+11'],
    ['external_id', '1E+05'],
    ['phone', '4,93012E+11'],
  ])('are refused as %s, shortened to %s', async (field, cell) => {
    const content = `${field};email\n${cell};ada@example.com\n`;
    const { rows } = await imported(content, { delimiter: ';' });
    expect(rows).toEqual([
      { code: 'CELL_INVALID', sentence: expect.stringMatching(/its digits are lost.*--types \w+=text/) },
    ]);
    const asTold = await imported(content, { delimiter: ';', typed: { [field]: 'text' } });
    expect(asTold.rows).toEqual([{ [field]: cell, email: 'ada@example.com' }]);
  });

  it.each([
    ['1.0', 'ids with a decimal point'],
    ['17,0', 'ids with a decimal point'],
    ['NaN', 'a word for no value'],
    ['#N/A', 'a word for no value'],
  ])('are told as %s', async (cell, name) => {
    const { looks } = await imported(`external_id;age\n12;1\n${cell};x\n`, { delimiter: ';' });
    expect(looks).toEqual([expect.objectContaining({ column: 'external_id', looks_like: name })]);
  });

  it.each(['12e4', '1.5', 'E+5', '2.0.1', '007', 'a1E+05', '+49301234567'])('are not %s', async (cell) => {
    const { rows, looks } = await imported(`external_id,note\n${cell},x\n`);
    expect([rows, looks]).toEqual([[{ external_id: cell, note: 'x' }], []]);
  });
});
