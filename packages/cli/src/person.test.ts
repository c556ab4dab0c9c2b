import { onInterrupt } from './person.ts';
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

  it('is passed on after the end of slow work without ending the process', () => {
    const exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const quiet = onInterrupt(anIo().io, new AbortController());
    process.emit('SIGINT');
    jest.advanceTimersByTime(5_000);
    quiet();
    process.emit('SIGINT');
    expect(exit).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    exit.mockRestore();
  });

  it('that never came leaves nothing behind', () => {
    onInterrupt(anIo().io, new AbortController())();
    expect(ours()).toEqual([]);
  });
});
