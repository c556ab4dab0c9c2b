/** The bytes of profiles that a transaction may load. Bytes that are skipped unread cost an eighth. */

export interface LoadLimits {
  /** Of an ordinary transaction, of which several run at once. */
  ordinary: number;
  /** Of a large transaction: only one at a time in this process. */
  large: number;
  /** Profiles up to this size are read as a whole, of larger ones only the named attributes. */
  wholeUpTo: number;
  /** The large transactions in one turn; the rest of the turn waits for the next one. */
  mostPieces: number;
}

const mebibyte = 1024 * 1024;

export const loadLimits: LoadLimits = {
  ordinary: 4 * mebibyte,
  large: 8 * mebibyte,
  wholeUpTo: 16 * 1024,
  mostPieces: 4,
};

/** For fault tests: they show the effect of the limits. */
export const noLoadLimits: LoadLimits = {
  ordinary: Number.POSITIVE_INFINITY,
  large: Number.POSITIVE_INFINITY,
  wholeUpTo: Number.POSITIVE_INFINITY,
  mostPieces: Number.POSITIVE_INFINITY,
};

const skippedBytesPerByte = 8;

/**
 * All bytes from the database are scanned, skipped ones too: 10 MB take up to 40 ms of CPU time. So a transaction scans no more than this
 * multiple of its budget.
 */
const looksPerByte = 2.5;

/** The people of a batch do not fit, and fewer requests may fit. Undoes the transaction. */
export class TooMuchToLoad extends Error {
  constructor() {
    super('the profiles of a batch are more than one transaction may load');
    this.name = 'TooMuchToLoad';
  }
}

export const createLoadBudget = (
  most: number,
  { mayCut, wholeUpTo }: { mayCut: boolean; wholeUpTo: number },
) => {
  const taken = new Map<string, number>();
  let left = most;
  let looks = looksPerByte * most;
  return {
    wholeUpTo,
    /** Bytes taken, by workspace. */
    taken,
    /** Whether there is room. Without room it throws `TooMuchToLoad` when the batch can be cut. */
    take(ws: string, bytes: number, skipped = 0): boolean {
      const cost = bytes + Math.ceil(skipped / skippedBytesPerByte);
      looks -= bytes + skipped;
      if (mayCut && (cost > left || looks < 0)) throw new TooMuchToLoad();
      if (cost > left) return false;
      left -= cost;
      taken.set(ws, (taken.get(ws) ?? 0) + cost);
      return true;
    },
    /** Whether the budget is used up. */
    isSpent: (): boolean => looks <= 0,
  };
};

export type LoadBudget = ReturnType<typeof createLoadBudget>;
