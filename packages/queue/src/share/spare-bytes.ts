/**
 * Reuses the buffers of groups, which are large and needed for a moment only. New ones for every group were a third of the garbage of the
 * ingress, and V8 counts them against its heap: it marked the whole heap ten times a second.
 */

/** Rounds sizes, so that groups of nearly the same size can share buffers. */
const step = 128 * 1024;

/** Keeps a few buffers, none larger than `largest`. */
export const createSpareBytes = (largest: number, most = 8) => {
  const kept: Buffer[] = [];
  return {
    /** A buffer of at least this size, with old content. */
    take(size: number): Buffer {
      const spare = kept.pop();
      // A buffer that is too small is dropped, so the kept ones grow to the sizes that are asked for.
      if (spare && spare.length >= size) return spare;
      return Buffer.allocUnsafeSlow(Math.ceil(size / step) * step);
    },
    /** Gives back a buffer, or its beginning; only after all reads and writes of it are done. */
    giveBack({ buffer }: Buffer): void {
      if (buffer.byteLength <= largest && kept.length < most) kept.push(Buffer.from(buffer));
    },
  };
};

export type SpareBytes = ReturnType<typeof createSpareBytes>;
