import { bounds } from '../bounds.ts';

/** A peer may send without end what is no row, also before it has let us in. */
export const createMeter = (tooMuch: () => void) => {
  let unasked = 0;
  let most: number = bounds.greetingBytes;
  return {
    count(data: Buffer): void {
      unasked += data.length;
      if (unasked > most) tooMuch();
    },
    /** It has let us in, or a row has come: what follows is counted anew. */
    progress(): void {
      unasked = 0;
      most = bounds.unaskedBytes;
    },
  };
};
