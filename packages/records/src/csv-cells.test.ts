import fc from 'fast-check';
import { cellsOf } from './csv-cells.ts';

describe('the cells of a row', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    ['a,,', ['a', '', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",c', ['say "hi"', 'c']],
    ['"two\r\nlines",c', ['two\r\nlines', 'c']],
    ['"",x', ['', 'x']],
    ['5" pipe, b ', ['5" pipe', ' b ']],
  ])('%j', (text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  it.each([['"a'], ['"a"b,c'], ['a,"b'], ['"a""']])('are none when quotes are wrong: %j', (text) => {
    expect(cellsOf(text)).toBeUndefined();
  });

  it.each([[';'], ['\t'], ['|'], ['^']])('may have another delimiter: %j', (delimiter) => {
    expect(cellsOf(`a,b${delimiter}"c${delimiter}d"`, delimiter)).toEqual(['a,b', `c${delimiter}d`]);
  });

  it('come back as they were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (cells) => {
        const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
        expect(cellsOf(text)).toEqual(cells);
      }),
    );
  });
});
