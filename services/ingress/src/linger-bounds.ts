/** The bounds of a lingering close. */

const mebibyte = 1024 * 1024;

export interface LingerBounds {
  /** Bytes that one connection may still send. */
  bytes: number;
  /** A caller who sends nothing for this long is cut off. */
  silenceMs: number;
  /** Time for one connection: this much, and a second for each `slowest` bytes that are expected. */
  baseMs: number;
  slowest: number;
  /** Connections at once; one more cuts off the oldest. */
  connections: number;
  /** Bytes a second of all of them together. */
  rate: number;
}

export const lingerBounds: LingerBounds = {
  bytes: 16 * mebibyte,
  silenceMs: 3_000,
  baseMs: 4_000,
  slowest: mebibyte,
  connections: 1_000,
  rate: 256 * mebibyte,
};
