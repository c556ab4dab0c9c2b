/** Copies of bodies that pass through, within a bound for each and a bound for all together. */
import type { Readable } from 'node:stream';

export interface Copy {
  /** `false` when it is beyond a bound. */
  isKept(): boolean;
  bytes(): Buffer;
  free(): void;
}

export type CopyOf = (stream: Readable) => Copy;

/** Larger than any request that Roster takes. */
const mostOfOne = 8 * 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;
/** What holds a piece of a body has a size too. */
const pieceBytes = 128;

export const createCopies = (most = { one: mostOfOne, all: mostOfAll }): CopyOf => {
  let held = 0;
  return (stream) => {
    let pieces: Buffer[] | undefined = [];
    let bytes = 0;
    const free = (): void => {
      held -= bytes;
      bytes = 0;
      pieces = undefined;
    };
    stream.on('data', (piece: Buffer) => {
      if (!pieces) return;
      const more = piece.length + pieceBytes;
      bytes += more;
      held += more;
      if (bytes > most.one || held > most.all) free();
      else pieces.push(piece);
    });
    return {
      isKept: () => pieces !== undefined,
      bytes: () => Buffer.concat(pieces ?? []),
      free,
    };
  };
};
