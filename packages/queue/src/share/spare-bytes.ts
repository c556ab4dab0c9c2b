/**
 * The bytes of a group are many and needed for a moment only. Made anew for every group they were a third of what the ingress throws
 * away, and because V8 counts them against its heap it marked the whole of it ten times a second.
 */
export interface SpareBytes {
  /** At least so many; what stands in them is left over. */
  take(size: number): Buffer;
  /** Gives back a buffer, or its beginning; only after all reads and writes of it are done. */
  giveBack(bytes: Buffer): void;
}

/** So that groups of nearly the same size can have each other's bytes. */
const step = 128 * 1024;

/** Keeps a few, none of them bigger than `largest`. */
export const createSpareBytes = (largest: number, most = 8): SpareBytes => {
  const kept: Buffer[] = [];
  return {
    take(size) {
      const spare = kept.pop();
      // One that is too small goes for good: what is kept grows to what is asked for.
      if (spare && spare.length >= size) return spare;
      return Buffer.allocUnsafeSlow(Math.ceil(size / step) * step);
    },
    giveBack({ buffer }) {
      if (buffer.byteLength <= largest && kept.length < most) kept.push(Buffer.from(buffer));
    },
  };
};
