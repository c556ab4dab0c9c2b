/** JSON text that grows piece by piece: one string when it is short, else what a reply carries in pieces. */
import type { Reply } from '@roster/queue';

/** As many as are encoded, sent and written in one go. */
const pieceLength = 256 * 1024;

/** A part may be larger than a piece. */
const sliced = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, n) =>
    bytes.subarray(n * pieceLength, (n + 1) * pieceLength),
  );

export const createText = () => {
  const pieces: Buffer[] = [];
  let parts: string[] = [];
  let length = 0;

  const flush = (): void => {
    pieces.push(...sliced(Buffer.from(parts.join(''))));
    parts = [];
    length = 0;
  };

  return {
    add(part: string): void {
      parts.push(part);
      length += part.length;
      if (length >= pieceLength) flush();
    },
    finish(): Pick<Reply, 'body' | 'rest'> {
      if (pieces.length === 0) return { body: parts.join('') };
      flush();
      return { body: '', rest: pieces };
    },
  };
};

export type ExportText = ReturnType<typeof createText>;
