import { isSuspicious } from './suspicious-ids.ts';

describe('suspicious external ids', () => {
  const ids = new Set(['', 'null', '[object object]']);

  it.each([
    'null',
    'NULL',
    '  Null ',
    `${' '.repeat(40)}null`,
    `null${'\u00a0'.repeat(40)}`,
    '[OBJECT object]',
  ])('are found as %j', (id) => expect(isSuspicious(id, ids)).toBe(true));

  it.each(['', ' ', '\t'.repeat(30)])('are found blank, as %j', (id) =>
    expect(isSuspicious(id, ids)).toBe(true),
  );

  it.each([
    'nul',
    'nullable',
    'null null',
    'a name that is much longer than these',
    'ü',
    ` ${'x'.repeat(40)} `,
  ])('are not %j', (id) => expect(isSuspicious(id, ids)).toBe(false));

  it('are none where none are named', () =>
    expect(['', 'null'].map((id) => isSuspicious(id, new Set()))).toEqual([false, false]));
});
