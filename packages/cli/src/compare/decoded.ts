/** The text of a body, without its content encoding. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';

type Decode = (body: Buffer, options: ZlibOptions) => Promise<Buffer>;

const same: Decode = async (body) => body;
const gzip: Decode = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
const decoders: ReadonlyMap<string, Decode> = new Map([
  ['', same],
  ['identity', same],
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

const bytesMax = 32 * 1024 * 1024;

/** Rejected when the encoding is unknown, when the body does not have it, or when the text is too large. */
export const decoded = async (body: Buffer, encoding = ''): Promise<string> => {
  let bytes = body;
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const decode = decoders.get(name.trim());
    if (!decode) throw new Error('the encoding is not known');
    if (bytes.length > 0) bytes = await decode(bytes, { maxOutputLength: bytesMax });
  }
  return new TextDecoder().decode(bytes);
};
