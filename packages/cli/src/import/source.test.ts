import type { CsvFormat, Format } from './source.ts';
import { headerOf, rowsOf } from './source.ts';

async function* bytesOf(content: string | Buffer) {
  yield Buffer.from(content);
}
const usual: CsvFormat = { type: 'attributes', map: {}, types: false, delimiter: ',' };
const csv = (changes: Partial<CsvFormat> = {}): Format => ({ csv: { ...usual, ...changes } });
const position = { bytes: 0, line: 1 };
const read = async (content: string | Buffer, format: Format = {}) => {
  const rows = [];
  for await (const row of rowsOf({ bytes: bytesOf(content), position, format })) rows.push(row);
  return rows;
};

describe('the rows of a file', () => {
  it('of NDJSON are its lines, save empty ones', async () => {
    expect(await read('\uFEFF{"external_id":"a"}\n\n{"external_id":"b"}')).toMatchObject([
      { line: 1, start: 0, end: 23, entries: [{ value: { external_id: 'a' } }] },
      { line: 3, start: 24, entries: [{ value: { external_id: 'b' } }] },
    ]);
  });

  it('of CSV come after the header', async () => {
    expect(await read('external_id,note\na,"x\ny"\n\nb,z\n', csv())).toMatchObject([
      { line: 2, entries: [{ value: { external_id: 'a', note: 'x\ny' } }] },
      { line: 5, entries: [{ value: { external_id: 'b', note: 'z' } }] },
    ]);
  });

  it('say what is wrong with them, and how they were', async () => {
    expect(await read('{"external_id":"a"}\n{"a":\n')).toMatchObject([
      {},
      { line: 2, raw: Buffer.from('{"a":\n'), fault: { code: 'LINE_NOT_JSON' } },
    ]);
    expect(await read('email,b\n1\n"x"y,2\n', csv())).toMatchObject([
      { line: 2, fault: { code: 'CELLS_DO_NOT_MATCH' } },
      { line: 3, fault: { code: 'QUOTES_WRONG' } },
    ]);
    const notText = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(await read(notText)).toMatchObject([{ fault: { code: 'LINE_NOT_UTF8' } }]);
  });

  it.each([['[\n{"external_id":"a"}\n]'], ['{\n  "external_id": "a"\n}'], ['[{"external_id":"a"}]']])(
    'are not those of one JSON document: %j',
    async (content) => {
      await expect(read(content)).rejects.toThrow(/one object per line.*jq -c/);
    },
  );

  it('need columns that make sense', async () => {
    await expect(read('a,a\n1,2\n', csv())).rejects.toThrow('a is there more than once');
    await expect(read('a,b\n', csv({ map: { x: 'y' } }))).rejects.toThrow('no column x');
  });

  it.each([
    ['external_id;email\n', ',', "--delimiter ';'"],
    ['external_id\temail\n', ',', '--delimiter tab'],
    ['external_id,email\n', ';', "--delimiter ','"],
  ])('%j are not separated by %j: it says by what', async (content, delimiter, hint) => {
    await expect(read(content, csv({ delimiter }))).rejects.toThrow(
      `the first line is one column. Add ${hint} if`,
    );
  });

  it('can be read from the middle', async () => {
    const content = 'external_id,n\na,1\nb,2\n';
    const header = await headerOf({ bytes: bytesOf(content), position, format: csv() }, usual);
    const rest = rowsOf({
      bytes: bytesOf(content.slice(18)),
      position: { bytes: 18, line: 3 },
      format: csv(),
      header,
    });
    for await (const row of rest)
      expect(row).toMatchObject({
        line: 3,
        start: 18,
        end: 22,
        entries: [{ value: { external_id: 'b', n: '2' } }],
      });
  });
});
