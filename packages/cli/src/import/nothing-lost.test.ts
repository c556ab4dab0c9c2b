/** Every byte of a file of CSV belongs to a row that was accepted, or stands in the file of refused rows. */
import { existsSync, readFileSync } from 'node:fs';
import { useFolder } from '@roster/testkit';
import fc from 'fast-check';
import { batchesOf } from './batches.ts';
import { createJournal } from './journal.ts';
import { createJudgingClient } from './judging-client.ts';
import type { Row } from './row.ts';
import { sendBatch } from './send-batch.ts';
import { type CsvFormat, rowsOf } from './source.ts';
import { added, lostIn, noTotals } from './totals.ts';

const csv: CsvFormat = { type: 'attributes', map: {}, types: false, delimiter: ',' };
const position = { bytes: 0, line: 1 };

async function* piecesOf(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function* noting(rows: AsyncIterable<Row>, kept: Row[]) {
  for await (const row of rows) {
    kept.push(row);
    yield row;
  }
}

describe('an import of CSV', () => {
  const inFolder = useFolder();
  const client = createJudgingClient(50);

  /** Everything but the server, which judges by the same rules. */
  const imported = async (content: Buffer, { format = csv, chunk = 7 } = {}) => {
    const [refusedPath, refusedRowsPath] = [inFolder('refused.ndjson'), inFolder('refused.csv')];
    const plan = { file: '-', refusedPath, refusedRowsPath, target: { url: '', key: '' }, settings: {} };
    const journal = createJournal(plan);
    const rows: Row[] = [];
    let totals = noTotals();
    const source = rowsOf({
      bytes: piecesOf(content, chunk),
      position,
      format: { csv: format },
      onHeader: ({ raw }) => journal.begin(raw),
    });
    for await (const batch of batchesOf([noting(source, rows)], 50)) {
      const sent = await sendBatch(batch, { client });
      totals = added(totals, batch, sent);
      journal.add(position, totals, { refusals: lostIn(batch, sent), raws: batch.raws });
    }
    journal.save(true);
    const text = existsSync(refusedRowsPath) ? readFileSync(refusedRowsPath) : Buffer.alloc(0);
    const list = existsSync(refusedPath) ? readFileSync(refusedPath, 'utf8') : '';
    const refusals = list
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { rows, totals, refusals, text };
  };

  const rawOf = ({ raw = Buffer.alloc(0) }: Row): Buffer => raw;
  const withoutBlankLines = (bytes: Buffer): string[] =>
    bytes
      .toString('latin1')
      .split('\n')
      .filter((line) => line !== '' && line !== '\r');

  /** The rows of the refused file stand in the order of the rows: each is the next one in it, or was accepted. */
  const expectWhole = async (content: Buffer, header: string, chunk = 7) => {
    const { rows, refusals, text, totals } = await imported(content, { chunk });
    expect(withoutBlankLines(Buffer.concat([Buffer.from(header), ...rows.map(rawOf)]))).toEqual(
      withoutBlankLines(content),
    );
    const lines = new Set(refusals.map(({ line }) => line));
    const refused = rows.filter(({ line }) => lines.has(line));
    const expected = refused.length > 0 ? [Buffer.from(header), ...refused.map(rawOf)] : [];
    expect(text.equals(Buffer.concat(expected))).toBe(true);
    expect([totals.accepted, totals.refused]).toEqual([rows.length - refused.length, refused.length]);
    return rows.filter(({ fault, doubt }) => !fault && !doubt);
  };

  /** Ids of the rows of a file that stand in one row of the import. */
  const idsIn = (row: Row): string[] =>
    rawOf(row)
      .toString()
      .match(/(?<=^"?|\n"?)10\d\d(?="?,)/g) ?? [];

  const header = 'external_id,plan,note\r\n';
  const cell = fc.oneof(
    fc.constantFrom('', 'pro', 'ü', '5" pipe', '"two\nlines"', '"a, b\r\nc"', '"say ""hi"""', ' x'),
    fc.string({ maxLength: 6 }).map((text) => `"${text.replaceAll('"', '""')}"`),
  );
  const cells = fc.tuple(cell, cell).map((both) => `${both.join(',')}\r\n`);
  const harm = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    cut: fc.nat(2),
    put: fc.constantFrom('"', '"', '""', ',', '\n', '\r', '\0', '\\', '\u00ff', '\u00ef\u00bb\u00bf', ''),
  });
  const harmed = (text: Buffer, harms: readonly { at: number; cut: number; put: string }[]): Buffer => {
    let bytes = text;
    for (const { at, cut, put } of harms) {
      const place = Math.floor(at * bytes.length);
      bytes = Buffer.concat([
        bytes.subarray(0, place),
        Buffer.from(put, 'latin1'),
        bytes.subarray(place + cut),
      ]);
    }
    return bytes;
  };

  it('loses nothing of a file with any harm, and tells of each row that may have swallowed others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(cells, { maxLength: 12 }),
        fc.array(harm, { maxLength: 4 }),
        fc.constantFrom(1, 7, 1000),
        async (rows, harms, chunk) => {
          const texts = rows.map((row, at) => `${1001 + at},${row}`);
          const body = harmed(Buffer.from(texts.join('')), harms);
          const untold = await expectWhole(Buffer.concat([Buffer.from(header), body]), header, chunk);
          expect(untold.filter((row) => idsIn(row).length > 1)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('tells of each row that swallowed others by two stray quotes', async () => {
    const plain = fc.constantFrom('', 'pro', 'ü', ' x', '36', '2026-01-31', 'a@example.com');
    const pair = fc.record({ from: fc.nat(2), over: fc.integer({ min: 1, max: 3 }), cell: fc.nat(2) });
    let swallowed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(plain, plain), { minLength: 6, maxLength: 9 }),
        pair,
        async (all, { from, over, cell: at }) => {
          const rows = all.map((cells, row) => [String(1001 + row), ...cells]);
          for (const [row, quoted] of [
            [from, (text: string) => `"${text}`],
            [from + over, (text: string) => `${text}"`],
          ] as const)
            rows[row]?.splice(at, 1, quoted(rows[row][at] ?? ''));
          const content = Buffer.from(`${header}${rows.map((cells) => `${cells.join(',')}\r\n`).join('')}`);
          const untold = await expectWhole(content, header);
          expect(untold.filter((row) => idsIn(row).length > 1)).toEqual([]);
          swallowed += rows.length - untold.length;
        },
      ),
      { numRuns: 300 },
    );
    expect(swallowed).toBeGreaterThanOrEqual(300);
  });

  const people = (count: number, harms: Readonly<Record<number, string>> = {}) =>
    Array.from({ length: count }, (_, i) => harms[i + 1] ?? `${i + 1},pro,Ada ${i + 1}`);
  const fileOf = (rows: readonly string[], end = '\n') =>
    Buffer.from(`external_id,plan,note\n${rows.join('\n')}${end}`);

  it.each<[string, Record<number, string>, number[]]>([
    ['one quote that is not closed', { 100: '100,"pro,Ada' }, [101]],
    [
      'several of them',
      { 100: '100,"pro,Ada', 200: '200,pro,"Ada', 2999: '2999,"pro,Ada' },
      [101, 201, 3_000],
    ],
    ['one in the last row', { 3000: '3000,pro,"Ada' }, [3_001]],
    ['text behind a closing quote', { 7: '7,"pro"x,Ada' }, [8]],
    ['a row that is too wide, and one that is too short', { 7: '7,pro,Ada,x', 9: '9,pro' }, [8, 10]],
  ])('refuses the row with %s, and takes the others', async (_, harms, lines) => {
    const rows = people(3_000, harms);
    const { totals, refusals, text } = await imported(fileOf(rows), { chunk: 65_536 });
    expect(refusals.map(({ line }) => line)).toEqual(lines);
    expect(totals.accepted).toBe(3_000 - lines.length);
    const wrong = lines.map((line) => `${rows[line - 2]}\n`);
    expect(text.toString()).toBe(`external_id,plan,note\n${wrong.join('')}`);
  });

  it('tells of a quoted cell whose lines are rows how many there are, and has all of them to be corrected', async () => {
    const rows = people(3_000, { 100: '100,"pro,Ada', 2950: '2950,pro",Ada' });
    const { totals, refusals, text } = await imported(fileOf(rows), { chunk: 65_536 });
    expect([totals.accepted, totals.refused]).toEqual([149, 1]);
    expect(refusals[0].sentence).toMatch(/is a quote not closed\? \(lines 101 to 2951\)$/);
    const corrected = Buffer.from(text.toString().replace('"pro', 'pro').replace('pro"', 'pro'));
    expect((await imported(corrected)).totals).toMatchObject({ accepted: 2_851, refused: 0 });
  });

  it.each<[string, Record<number, string>, string]>([
    ['two lines', { 4: '4,"pro,Ada 4', 5: '5,pro",Ada 5' }, '(lines 5 to 6)'],
    ['three lines', { 4: '4,pro,"Ada 4', 6: '6,pro,Ada 6"' }, '(lines 5 to 7)'],
    ['two lines, in the first cell', { 4: '"4,pro,Ada 4', 5: '5",pro,Ada 5' }, '(lines 5 to 6)'],
    ['two lines, the second at the end', { 4: '4,pro,"Ada 4', 5: '5,pro,"' }, '(lines 5 to 6)'],
  ])(
    'refuses a row that swallowed others by two quotes over %s, and tells its lines',
    async (_, harms, lines) => {
      const { totals, refusals } = await imported(fileOf(people(40, harms)));
      expect([totals.refused, totals.accepted]).toEqual([1, 40 - (Number(Object.keys(harms)[1]) - 3)]);
      expect(refusals).toMatchObject([
        { line: 5, code: 'CELL_HAS_ROWS', sentence: expect.stringContaining(lines) },
      ]);
    },
  );

  it('takes and tells a row whose lines may be rows, when nothing of their looks tells', async () => {
    const rows = ['ada,"pro,x', 'bob,pro",x', 'eve,pro,x'];
    const { totals } = await imported(fileOf(rows));
    expect(totals).toMatchObject({ accepted: 2, refused: 0, doubtful: 1 });
    expect(totals.firstDoubts).toEqual([{ line: 2, sentence: expect.stringMatching(/\(lines 2 to 3\)$/) }]);
  });

  it('takes cells with line breaks, and has nothing to tell of them', async () => {
    const cells = [
      '"12 High St\nFlat 4\nLondon, SW1A 1AA, UK"',
      '"Dear Ada,\n\nsee you at 5,\nBob"',
      '"Hauptstr. 5\n10115 Berlin"',
      '"a,b,c\nd,e,f"',
      '"\n"',
      '"1, 2, 3\n4, 5, 6"',
    ];
    const harms = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [at + 201, `${at + 201},pro,${cells[at % cells.length]}`]),
    );
    const { totals } = await imported(fileOf(people(900, harms)), { chunk: 65_536 });
    expect(totals).toMatchObject({ accepted: 900, refused: 0, doubtful: 0 });
  });

  it('keeps what the server refuses as it stands, with the columns that are left out', async () => {
    const content = Buffer.from('external_id,email,note\na,nonsense," kept ""so"""\nb,b@example.com,x');
    const { refusals, text } = await imported(content, { format: { ...csv, map: { note: '' } } });
    expect(refusals).toMatchObject([{ line: 2, code: 'EMAIL_BAD_FORMAT' }]);
    expect(text.toString()).toBe('external_id,email,note\na,nonsense," kept ""so"""\n');
  });

  it('keeps the bytes of a row that is not UTF-8', async () => {
    const row = Buffer.from('a,M\u00fcnchen,x\n', 'latin1');
    const { refusals, text } = await imported(Buffer.concat([fileOf([], ''), row]));
    expect(text.subarray(-row.length).equals(row)).toBe(true);
    expect(refusals).toMatchObject([{ code: 'LINE_NOT_UTF8', row_base64: row.toString('base64') }]);
  });

  it('keeps all of a row that is too long to hold, and counts it as one', async () => {
    const long = `3,pro,${'x'.repeat(13 * 1024 * 1024)}`;
    const { totals, text } = await imported(fileOf(people(4, { 3: long })), { chunk: 65_536 });
    expect(totals).toMatchObject({ rows: 4, accepted: 3, refused: 1 });
    expect(text.equals(Buffer.from(`external_id,plan,note\n${long}\n`))).toBe(true);
  });
});
