/** What sources must do whose server pushes rows, run against each of them. */
import { heldBytes, until } from '@roster/testkit';
import type { Source } from '../source.ts';
import { pagesOf, readAll } from '../testbed.ts';

interface Subject {
  /** Makes the table `heavy`: 300 rows of 896,000 bytes, a second apart. And the view `slow`, whose first row takes an hour. */
  prepare(): Promise<unknown>;
  open(table: string): Source;
  /** Whether the statement of a source waits until its client reads on, or sleeps. */
  waits(why: 'client' | 'sleep'): Promise<boolean>;
}

export const itKeepsItsBounds = ({ prepare, open, waits }: Subject): void => {
  beforeAll(prepare);

  it('reads in constant memory, however large the rows and slow the reader', async () => {
    let read = 0;
    let most = 0;
    let pages = 0;
    const before = heldBytes();
    for await (const { rows } of pagesOf(open('heavy'), { pageRows: 1_000 })) {
      read += rows.length;
      expect(rows.length).toBeLessThanOrEqual(4);
      // The rest fits into the buffers of the two sockets.
      if (read < 200) await until(() => waits('client'));
      if (pages++ % 5 === 0) most = Math.max(most, heldBytes() - before);
    }
    expect(read).toBe(300);
    expect(most).toBeLessThan(60e6);
  });

  describe('whose statement takes very long', () => {
    const enough = new Error('enough');
    const begin = (source: Source) => {
      const told = new AbortController();
      const reading = readAll(source, { signal: told.signal });
      reading.catch(() => {});
      return { told, reading };
    };

    it('stops when it is told while it connects', async () => {
      const { told, reading } = begin(open('slow'));
      told.abort(enough);
      await expect(reading).rejects.toBe(enough);
    });

    it('stops when it is told while it waits for the first row', async () => {
      const { told, reading } = begin(open('slow'));
      await until(() => waits('sleep'));
      told.abort(enough);
      await expect(reading).rejects.toBe(enough);
    });

    it('stops when it is told before it estimates', async () => {
      await expect(open('slow').estimate(undefined, AbortSignal.abort(enough))).rejects.toBe(enough);
    });

    it('ends what it reads, and what it is about to read, when it is closed', async () => {
      const source = open('slow');
      const { reading } = begin(source);
      await source.close();
      await expect(reading).rejects.toMatchObject({ code: 'connection_lost' });
      await expect(source.test()).rejects.toMatchObject({ code: 'connection_lost' });
    });
  });
};
