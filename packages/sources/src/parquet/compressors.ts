/** Decompression that makes no more than a page may have, whatever its header claims. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Compressors, snappyUncompress } from 'hyparquet';
import { decompressLz4, decompressLz4Raw, decompressZstd } from 'hyparquet-compressors';
import { assertFits, parquetBounds } from './questions.ts';

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

const bounded =
  (decompress: Decompress): Decompress =>
  (input, outputLength) => {
    assertFits('a page', outputLength, parquetBounds.pageBytes);
    return decompress(input, outputLength);
  };

const snappy: Decompress = (input, outputLength) => {
  const output = new Uint8Array(outputLength);
  snappyUncompress(input, output);
  return output;
};

export const compressors: Compressors = {
  SNAPPY: bounded(snappy),
  GZIP: bounded((input, maxOutputLength) => gunzipSync(input, { maxOutputLength })),
  BROTLI: bounded((input, maxOutputLength) => brotliDecompressSync(input, { maxOutputLength })),
  ZSTD: bounded((input, outputLength) => decompressZstd(input, new Uint8Array(outputLength))),
  LZ4: bounded(decompressLz4),
  LZ4_RAW: bounded(decompressLz4Raw),
};
