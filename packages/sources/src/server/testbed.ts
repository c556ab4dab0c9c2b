/** What sources must do whose server pushes rows, run against each of them. */
import { heldBytes, until } from '@roster/testkit';
import type { Limits } from '../bounds.ts';
import type { Source } from '../source.ts';
import { type Person, pagesOf, readAll, withLarge } from '../testbed.ts';

interface Subject {
  /** Replaces the rows of `people`. */
  fill(people: readonly Person[]): Promise<void>;
  /**
   * Makes the table `heavy`: 150 rows of 896,000 bytes, a second apart; `many`: 6,000 rows, three of each second; and the view `slow`,
   * whose first row takes an hour.
   */
  prepare(): Promise<unknown>;
  open(table?: string, limits?: Partial<Limits>): Source;
  /** Whether the statement of a source waits until its client reads on, or sleeps. */
  waits(why: 'client' | 'sleep'): Promise<boolean>;
}

export const itKeepsItsBounds = ({ fill, prepare, open, waits }: Subject): void => {
  beforeAll(prepare);

  it('says of a row that is too large which one it is, in its place', async () => {
    await fill(withLarge);
    const rows = await readAll(open());
    const found = rows.map((one) => (one.row ? one.row.id : `too large: ${one.id}`));
    expect(found).toEqual(['a', 'too large: b', 'c']);
  });

  it('goes on with the next statement after a stretch', async () => {
    const source = open('many', { stretchMs: 0 });
    const rows = await readAll(source, { pageRows: 1_000 });
    expect(new Set(rows.map(({ row }) => row?.id)).size).toBe(6_000);
    expect(rows).toHaveLength(6_000);
    expect(await source.estimate(undefined, new AbortController().signal)).toBeGreaterThan(0);
  });

  it('reads in constant memory, however large the rows and slow the reader', async () => {
    let read = 0;
    let most = 0;
    let pages = 0;
    const before = heldBytes();
    for await (const { rows } of pagesOf(open('heavy'), { pageRows: 1_000 })) {
      read += rows.length;
      expect(rows.length).toBeLessThanOrEqual(4);
      // The rest fits into the buffers of the two sockets.
      if (read < 100) await until(() => waits('client'));
      if (pages++ % 5 === 0) most = Math.max(most, heldBytes() - before);
    }
    expect(read).toBe(150);
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
