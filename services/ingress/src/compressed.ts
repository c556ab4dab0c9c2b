/** Large texts of the pages, compressed once for all who read them. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const pack = promisify(gzip);

type Text = string | Buffer;

/** Remembers the last text only: there is one, or a new one in ten minutes. */
export const createCompressed = (
  read: () => Text | Promise<Text>,
  headers: Readonly<Record<string, string>>,
): RequestHandler => {
  let last: { text: Text; packed: Promise<Buffer> } | undefined;
  const packedOf = (text: Text): Promise<Buffer> => {
    if (last?.text !== text) last = { text, packed: pack(text) };
    return last.packed;
  };
  return async (request, response) => {
    const text = await read();
    response.set({ ...headers, Vary: 'Accept-Encoding' });
    if (!request.acceptsEncodings('gzip')) return void response.end(text);
    response.set('Content-Encoding', 'gzip').end(await packedOf(text));
  };
};
