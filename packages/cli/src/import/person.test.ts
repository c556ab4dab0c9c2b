import { anIo } from '../test-io.ts';
import { onInterrupt } from './person.ts';

describe('a Ctrl-C', () => {
  const others = process.listeners('SIGINT');
  const ours = () => process.listeners('SIGINT').filter((listener) => !others.includes(listener));
  afterEach(() => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      for (const listener of ours()) process.off(signal, listener);
  });

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
    expect(ours()).toEqual([heard]);
  });

  it('that never came leaves nothing behind', () => {
    onInterrupt(anIo().io, new AbortController())();
    expect(ours()).toEqual([]);
  });
});
