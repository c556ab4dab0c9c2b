import fc from 'fast-check';
import { createFraming, type FramingOptions } from './framing.ts';

const textsOf = (chunks: Buffer[], options: FramingOptions = {}) => {
  const framing = createFraming(options);
  const records = [...chunks.flatMap((chunk) => [...framing.push(chunk)]), ...framing.end()];
  return records.map(({ bytes, start, end, line, fault }) => ({
    text: bytes.toString(),
    start,
    end,
    line,
    ...(fault && { fault }),
  }));
};
const rowsIn = (text: string, options: FramingOptions = {}) =>
  textsOf([Buffer.from(text)], { delimiter: ',', ...options }).map((row) =>
    row.fault ? `${row.fault}: ${row.text}` : row.text,
  );
const cut = (text: string, options: FramingOptions = {}) =>
  textsOf([Buffer.from(text)], options).map((record) => record.text);

describe('records', () => {
  it.each([
    ['lines', 'a\nb\n', ['a', 'b']],
    ['a last line without its break', 'a\nb', ['a', 'b']],
    ['line breaks of Windows', 'a\r\nb\r\n', ['a', 'b']],
    ['empty lines', 'a\n\nb\n', ['a', '', 'b']],
    ['nothing', '', []],
  ])('are cut at line breaks: %s', (_, text, records) => {
    expect(cut(text)).toEqual(records);
  });

  it.each([
    ['a line break in quotes', '1,"a\nb"\n2,c\n', ['1,"a\nb"', '2,c']],
    ['a doubled quote', '"a""\nb",1\nc\n', ['"a""\nb",1', 'c']],
    ['a quote in the middle of a plain cell', '5" pipe,1\n6" pipe,2\n', ['5" pipe,1', '6" pipe,2']],
    ['a quote after a delimiter', 'x,"\n",y\nz\n', ['x,"\n",y', 'z']],
  ])('of CSV: %s', (_, text, records) => {
    expect(cut(text, { delimiter: ',' })).toEqual(records);
  });

  it('say where they are, in bytes and lines', () => {
    expect(textsOf([Buffer.from('é\n"x\ny"\nz')], { delimiter: ',' })).toEqual([
      { text: 'é', start: 0, end: 3, line: 1 },
      { text: '"x\ny"', start: 3, end: 9, line: 2 },
      { text: 'z', start: 9, end: 10, line: 4 },
    ]);
    expect(textsOf([Buffer.from('z\n')], { start: 9, line: 4 })).toEqual([
      { text: 'z', start: 9, end: 11, line: 4 },
    ]);
  });

  it('that are too long come in pieces, and those after them whole', () => {
    const expected = ['ab', 'long: abcd', 'rest: efgh', 'rest: i', 'cd'];
    expect(rowsIn('ab\nabcdefghi\ncd\n', { longest: 4 })).toEqual(expected);
    expect(textsOf([Buffer.from('ab\nabcdefghi\ncd\n')], { longest: 4 }).map(({ text }) => text)).toEqual([
      'ab',
      'abcd',
      'efgh',
      'i',
      'cd',
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['a quote that is not closed', ['1,"Ada,x', '2,Bob,y', '3,Eve,z'], ['!1,"Ada,x', '2,Bob,y', '3,Eve,z']],
    ['two of them', ['1,"Ada,x', '2,Bob,y', '3,"Eve,z'], ['!1,"Ada,x', '2,Bob,y', '3,"Eve,z']],
    ['in the last row', ['1,Ada,x', '2,"Bob,y'], ['1,Ada,x', '2,"Bob,y']],
    ['before rows over two lines', ['1,"Ada,x', '2,"a\nb",y'], ['!1,"Ada,x', '2,"a\nb",y']],
    ['in a row over two lines', ['1,"Ada\nfirst,x', '2,Bob,y'], ['!1,"Ada\nfirst,x', '2,Bob,y']],
    [
      'with a comma in a later line',
      ['1,"Ada\nDear, all, bye', '2,Bob,y'],
      ['!1,"Ada\nDear, all, bye', '2,Bob,y'],
    ],
    ['closed before its cell ends', ['1,"Ada" L\nfirst",x', '2,Bob,y'], ['!1,"Ada" L\nfirst",x', '2,Bob,y']],
    ['where all cells are quoted', ['"1","Ada,"x"', '"2","Bob","y"'], ['!"1","Ada,"x"', '"2","Bob","y"']],
    [
      'in the last cell of quoted ones',
      ['"1","Ada","x', '"2","Bob","y"'],
      ['!"1","Ada","x', '"2","Bob","y"'],
    ],
    ['a row that is too wide, with a line break', ['1,"a\nb",x,y', '2,Bob,y'], ['1,"a\nb",x,y', '2,Bob,y']],
    ['a row that is too short, with a line break', ['1,"a\nb"', '2,Bob,y'], ['1,"a\nb"', '2,Bob,y']],
    [
      'a cell with lines of as many cells',
      ['1,"a\nb,c,d\ne",x', '2,Bob,y'],
      ['1,"a\nb,c,d\ne",x', '2,Bob,y'],
    ],
  ])('of CSV end where the next row begins: %s', (_, rows, expected) => {
    const wanted = ['id,name,note', ...expected.map((row) => row.replace(/^!/, 'quotes: '))];
    expect(rowsIn(['id,name,note', ...rows, ''].join('\n'))).toEqual(wanted);
  });

  it('of CSV whose lines look like rows are named so', () => {
    const swallowed = '1,"Ada,x\n2,Bob,y\n3,Eve,z\n4,Joe",w';
    expect(rowsIn(`id,name,note\n${swallowed}\n5,Kim,v\n`)).toEqual([
      'id,name,note',
      `rows: ${swallowed}`,
      '5,Kim,v',
    ]);
  });

  it('of CSV that are never closed cost no more than a few readings of the file', () => {
    // Each first line could go on to the end of the file.
    const pair = `x",y,"${'z'.repeat(100)}\n${','.repeat(399)}\n`;
    const text = `${','.repeat(399)}\n${pair.repeat(4_000)}`;
    const reading = jest.spyOn(Buffer.prototype, 'toString');
    const framing = createFraming({ delimiter: ',', longest: 1024 * 1024 });
    const records = [...framing.push(Buffer.from(text)), ...framing.end()];
    const lengths = reading.mock.contexts.map((one) => (one as Buffer).length);
    reading.mockRestore();
    expect(records.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(text.length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(40 * text.length);
  });

  it('have every byte, whatever is wrong with them', () => {
    const piece = fc.constantFrom('a', ',', '"', '\n', '\r\n', '""', '"\n', ',"', '",', 'b,c\n', '\0');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 3, max: 40 }), (pieces, longest) => {
        const text = `x,y\n${pieces.join('')}`;
        const framing = createFraming({ delimiter: ',', longest });
        const records = [...framing.push(Buffer.from(text)), ...framing.end()];
        expect(Buffer.concat(records.map(({ raw }) => raw)).toString()).toBe(text);
        expect(records.filter(({ raw }) => raw.length === 0 || raw.length > 2 * longest)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('do not depend on how the bytes arrive', () => {
    const piece = fc.constantFrom('a', ',', '"', '\n', '\r\n', 'é', '""');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(60)),
        fc.boolean(),
        (pieces, cuts, isCsv) => {
          const bytes = Buffer.from(pieces.join(''));
          const options = { longest: 12, ...(isCsv && { delimiter: ',' }) };
          const at = [0, ...cuts.filter((c) => c < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i] ?? 0, end));
          expect(textsOf(chunks, options)).toEqual(textsOf([bytes], options));
        },
      ),
    );
  });
});
