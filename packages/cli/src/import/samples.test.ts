/** The files of `samples`, each written by the program of its name: samples/README.md. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createLooks } from './looks.ts';
import { type CsvFormat, rowsOf } from './source.ts';

const usual: CsvFormat = { type: 'attributes', map: {}, types: false, delimiter: ',' };

const imported = async (name: string, changes: Partial<CsvFormat> = {}) => {
  const looks = createLooks();
  const rows = [];
  const source = rowsOf({
    bytes: createReadStream(join(__dirname, 'samples', name)),
    position: { bytes: 0, line: 1 },
    format: { csv: { ...usual, ...changes } },
    onHeader: ({ columns }) => looks.begin(columns),
    onCells: looks.see,
  });
  for await (const { fault, entries } of source) rows.push(fault ?? entries[0]?.value);
  return { rows, looks: looks.looks().map(({ column, looks_like }) => `${column}: ${looks_like}`) };
};

const typed = { age: 'number', umsatz: 'number', vip: 'boolean' } as const;
const note = 'two\nlines, "so"';
const ada = { external_id: '7', age: 36, umsatz: 1234.5, vip: true, note };
const bob = { external_id: '8', umsatz: -0.1, vip: false, note: 'Grüße' };
const eve = { external_id: '9', age: 41, umsatz: 2, vip: true };
const joined = (one: string, other: string) => [{ joined: one }, { joined: other }, {}];

describe('a file of', () => {
  it.each<[string, object[], object, string[], Partial<CsvFormat>?]>([
    ['sheetjs.csv', joined('1/31/26', '2/1/26'), { note: '77' }, ['joined: dates']],
    [
      'sheetjs-semicolon.csv',
      joined('1/31/26', '2/1/26'),
      { note: '77' },
      ['joined: dates'],
      { delimiter: ';' },
    ],
    ['sheetjs-serial.csv', joined('46053', '46054'), { note: '77' }, ['joined: days of a spreadsheet']],
    ['exceljs.csv', joined('2026-01-31T00:00:00+00:00', '2026-02-01T00:00:00+00:00'), { note: '77' }, []],
    ['libreoffice.csv', joined('1/31/2026', '2/1/2026'), { note: '77' }, ['joined: dates']],
    [
      'libreoffice-europe.csv',
      joined('2026-01-31', '2026-02-01'),
      { note: '77' },
      [],
      { delimiter: ';', typed: { ...typed, joined: 'date-mdy' } },
    ],
    ['pandas.csv', joined('2026-01-31', '2026-02-01'), { note: '=SUM(B2:B4)' }, ['note: a formula']],
    [
      'pandas-europe.csv',
      joined('2026-01-31', '2026-02-01'),
      { note: '=SUM(B2:B4)' },
      ['note: a formula'],
      { delimiter: ';', typed: { ...typed, age: 'comma', umsatz: 'comma', joined: 'date' } },
    ],
  ])('%s comes in, and what is not as it was meant is told', async (name, days, last, told, changes = {}) => {
    const { rows, looks } = await imported(name, { typed, ...changes });
    expect(rows).toEqual([ada, bob, { ...eve, ...last }].map((row, at) => ({ ...row, ...days[at] })));
    expect(looks).toEqual(told);
  });

  it('pandas-europe.csv, with decimal commas, is told without --types', async () => {
    const { looks } = await imported('pandas-europe.csv', { delimiter: ';' });
    expect(looks).toEqual([
      'age: numbers with a decimal comma',
      'umsatz: numbers with a decimal comma',
      'vip: true/false',
      'joined: dates',
      'note: a formula',
    ]);
  });

  it('pandas-na.csv tells of the word for no value', async () => {
    const { rows, looks } = await imported('pandas-na.csv', { typed: { vip: 'boolean' } });
    expect(rows[1]).toMatchObject({ age: 'NaN' });
    expect(looks).toEqual(['age: numbers', 'umsatz: numbers', 'age: a word for no value', 'note: a formula']);
  });

  it('pandas-escaped.csv, with backslashes before quotes, refuses such a row', async () => {
    const { rows } = await imported('pandas-escaped.csv', { typed });
    expect(rows).toMatchObject([
      { code: 'QUOTES_WRONG', sentence: expect.stringMatching(/lines 2 to 3.*backslashes/) },
      bob,
      eve,
    ]);
  });

  it('mariadb-outfile.csv has rows with backslashes and \\N, refused or told', async () => {
    const { rows, looks } = await imported('mariadb-outfile.csv');
    expect(rows).toMatchObject([
      { code: 'QUOTES_WRONG', sentence: expect.stringMatching(/lines 2 to 3.*backslashes/) },
      { external_id: '8', name: 'Smith, Bob', note: 'back\\\\slash' },
      { external_id: '9', name: 'Eve\tTab' },
      { external_id: '10', name: 'Zoë' },
    ]);
    expect(looks).toEqual(expect.arrayContaining(['age: \\N', 'note: backslashes']));
  });

  it('mariadb-escaped-by-quote.csv has "N for no value, refused with what to do', async () => {
    const { rows } = await imported('mariadb-escaped-by-quote.csv');
    expect(rows[0]).toMatchObject({ external_id: '7', name: 'Ada "L" Lovelace', note: 'two\nlines' });
    for (const row of rows.slice(1))
      expect(row).toMatchObject({ code: 'QUOTES_WRONG', sentence: expect.stringContaining('IFNULL') });
  });

  it('mariadb-batch.tsv comes in, and NULL and backslashes are told', async () => {
    const { rows, looks } = await imported('mariadb-batch.tsv', { delimiter: '\t' });
    expect(rows[0]).toMatchObject({ external_id: '7', name: 'Ada "L" Lovelace', note: 'two\\nlines' });
    expect(looks).toEqual(expect.arrayContaining(['age: a word for no value', 'name: backslashes']));
  });

  it.each<[string, string, RegExp]>([
    ['mariadb-outfile.tsv', '\t', /no column says whose the rows are/],
    ['sheetjs-unicode.txt', '\t', /UTF-16.*iconv -f UTF-16/],
    ['pandas-utf16.csv', '\t', /UTF-16.*iconv -f UTF-16/],
    ['sheetjs-cr.csv', ',', /tr '\\r' '\\n'/],
    ['sheetjs.xlsx', ',', /workbook.*CSV UTF-8/],
    ['sheetjs.xls', ',', /workbook.*CSV UTF-8/],
  ])('%s is told', async (name, delimiter, sentence) => {
    await expect(imported(name, { delimiter })).rejects.toThrow(sentence);
  });
});
