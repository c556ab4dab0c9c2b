import { onInterrupt } from './interrupt.ts';
import { anIo } from './test-io.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

describe('a Ctrl-C', () => {
  const others = signals.flatMap((signal) => process.listeners(signal));
  const ours = () =>
    signals.flatMap((signal) => process.listeners(signal)).filter((listener) => !others.includes(listener));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('stops once, however often the same keypress is passed on, even after the end', () => {
    const stop = new AbortController();
    const { io, err } = anIo();
    const quiet = onInterrupt(io, stop);
    const [heard] = ours();
    heard?.('SIGINT');
    heard?.('SIGINT');
    expect(stop.signal.aborted).toBe(true);
    expect(err().match(/Stopping/g)).toHaveLength(1);
    quiet();
    expect(ours()).toEqual([heard, heard]);
    jest.advanceTimersByTime(1_000);
    expect(ours()).toEqual([]);
  });

  it('that never came leaves nothing behind', () => {
    onInterrupt(anIo().io, new AbortController())();
    expect(ours()).toEqual([]);
  });
});
