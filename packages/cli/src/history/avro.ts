/** The records of an Avro file, one after the other. What a file may be and a block may become is bounded. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { inflateRaw } from 'node:zlib';
import { isRecord, type JsonObject } from '../json.ts';
import { wrong } from '../result.ts';

const mostFileBytes = 1024 ** 3;
const mostBlockBytes = 64 * 1024 ** 2;
/** Of the checksum behind a block of snappy. */
const checksumBytes = 4;

type Done = (error: Error | null, bytes?: Buffer) => void;

/** The length stands in front: 7 bits a byte. */
const lengthIn = (block: Buffer): number => {
  let length = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block[at] ?? 0;
    length += (byte & 127) * 2 ** (7 * at);
    if (byte < 128) return length;
  }
  return Number.POSITIVE_INFINITY;
};

const unsnapped = async (block: Buffer): Promise<Buffer> => {
  const { snappyUncompress } = await import('hyparquet');
  const length = lengthIn(block);
  if (length > mostBlockBytes) throw new Error(`a block is larger than ${mostBlockBytes} bytes`);
  const output = Buffer.alloc(length);
  snappyUncompress(block.subarray(0, -checksumBytes), output);
  return output;
};

const codecs = {
  null: (block: Buffer, done: Done) => done(null, block),
  deflate: (block: Buffer, done: Done) => inflateRaw(block, { maxOutputLength: mostBlockBytes }, done),
  snappy: (block: Buffer, done: Done) => {
    unsnapped(block).then((bytes) => done(null, bytes), done);
  },
};

/** Each block ends with a mark; of half a block the decoder says nothing. */
const endOf = (file: string, length: number): Buffer => {
  const descriptor = openSync(file, 'r');
  try {
    const end = Buffer.alloc(length);
    readSync(descriptor, end, 0, length, Math.max(0, statSync(file).size - length));
    return end;
  } finally {
    closeSync(descriptor);
  }
};

export async function* recordsOfAvro(file: string): AsyncGenerator<JsonObject> {
  if (statSync(file).size > mostFileBytes) throw wrong(`${file} is larger than ${mostFileBytes} bytes.`);
  const { default: avro } = await import('avsc');
  const decoder = avro.createFileDecoder(file, { codecs });
  let mark: Buffer | undefined;
  decoder.on('metadata', (_type: unknown, _codec: unknown, { sync }: { sync: Buffer }) => {
    mark = sync;
  });
  try {
    for await (const record of decoder) if (isRecord(record)) yield record;
    if (!mark?.equals(endOf(file, mark.length))) throw new Error('it is cut off');
  } catch (error) {
    throw wrong(`${file} cannot be read as Avro: ${error instanceof Error ? error.message : error}`);
  } finally {
    decoder.destroy();
  }
}
