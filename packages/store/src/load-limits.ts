/** Limits on the bytes of profiles that a transaction may load. */

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
