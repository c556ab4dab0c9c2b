import fc from 'fast-check';
import { createFraming, type FramingOptions } from './framing.ts';

const textsOf = (chunks: Buffer[], options: FramingOptions = {}) => {
  const framing = createFraming(options);
  const records = [...chunks.flatMap((chunk) => [...framing.push(chunk)]), ...framing.end()];
  return records.map(({ bytes, start, end, line, isTooLong }) => ({
    text: isTooLong ? '(too long)' : bytes.toString(),
    start,
    end,
    line,
  }));
};
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
    ['a quote that is never closed', 'a\n"b\nc\n', ['a', '"b\nc']],
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

  it('that are too long are passed over, and those after them are not', () => {
    expect(cut('ab\nabcdefgh\ncd\n', { longest: 4 })).toEqual(['ab', '(too long)', 'cd']);
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
          const options = isCsv ? { delimiter: ',' } : {};
          const at = [0, ...cuts.filter((c) => c < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i] ?? 0, end));
          expect(textsOf(chunks, options)).toEqual(textsOf([bytes], options));
        },
      ),
    );
  });
});
