import { isSampled, readTraceparent, traceparentOf } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it('is read and written', () => {
    const text = `00-${traceId}-${spanId}-01`;
    const found = readTraceparent(text);
    expect(found).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true });
    expect(found && traceparentOf(found)).toBe(text);
    expect(found && isSampled(found)).toBe(true);
  });

  it('tells that its caller does not trace', () => {
    const found = readTraceparent(`00-${traceId}-${spanId}-02`);
    expect(found && isSampled(found)).toBe(false);
  });

  it('of a later version may have more parts', () => {
    expect(readTraceparent(`01-${traceId}-${spanId}-01-more`)).toMatchObject({ traceId });
  });

  it.each([
    ['nothing', ''],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['more parts in version 00', `00-${traceId}-${spanId}-01-more`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['two of them', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['a line more', `00-${traceId}-${spanId}-01\n`],
    ['too many characters', `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`],
  ])('is none: %s', (_what, text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });

  it.each([[undefined], [null], [7], [['00']], [{}]])('is none: %j', (value) => {
    expect(readTraceparent(value)).toBeUndefined();
  });
});
