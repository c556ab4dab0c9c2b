/** The body of a form: a few KB, as text. */
import type { IncomingMessage } from 'node:http';

/** `undefined`: it is larger. What comes after that is not kept. */
export const readForm = async (request: IncomingMessage, mostBytes: number): Promise<string | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};
