import { scan } from './scan.ts';

const scanned = (text: string) => scan(Buffer.from(text));

describe('the scan of a body', () => {
  it.each([
    ['{}', { values: 1, containers: 1, names: 0, depth: 1 }],
    ['{"a":1,"b":[1,2],"c":{"a":"x"}}', { values: 6, containers: 3, names: 3, depth: 2 }],
    ['{"a":"{[,:\\"{"}', { values: 1, containers: 1, names: 1, depth: 1 }],
    ['[[[[]]]]', { values: 4, containers: 4, names: 0, depth: 4 }],
    ['{"a" : 1 , "a" : 2}', { values: 2, containers: 1, names: 1, depth: 1 }],
    ['{"\\n":1,"\\t":2,"\\\\":3}', { values: 3, containers: 1, names: 3, depth: 1 }],
  ])('counts %s', (text, counts) => {
    expect(scanned(text)).toEqual({ bytes: Buffer.byteLength(text), ...counts });
  });

  it('counts different names nearly exactly up to the limit', () => {
    const members = Array.from({ length: 25_000 }, (_, n) => `"name-${n}":1`);
    const { names } = scanned(`{${members.join(',')}}`);
    expect(names).toBeGreaterThan(23_000);
    expect(names).toBeLessThanOrEqual(25_000);
  });

  it('forgets the names of the body before', () => {
    for (let n = 0; n < 70_000; n++) scan(Buffer.from('{"a":1}'));
    expect(scanned('{"a":1,"b":1}').names).toBe(2);
  });

  it.each(['', '"', '{"a', '{"a\\', ':::', ']]]]', '\\"'])('ends on what is no JSON: %s', (text) => {
    expect(() => scanned(text)).not.toThrow();
  });
});
