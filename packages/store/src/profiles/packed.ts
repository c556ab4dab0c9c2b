/**
 * Reads a stored document element by element, without unpacking the whole: a large one would block the event loop. The format
 * is BSON 1.1 (bsonspec.org), with the types that profiles have.
 */
export interface Element {
  type: number;
  /** The offsets of the element, of its value and of the next element. */
  start: number;
  value: number;
  end: number;
}

const embedded: ReadonlySet<number> = new Set([0x03, 0x04]);

/** Text: its length comes first, and does not count itself. */
const text = 0x02;

/** The others have a size of their own: double, id, boolean, date, null, int32, timestamp, int64, decimal. */
const sizes: Readonly<Record<number, number>> = {
  1: 8,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
};

const sizeOf = (bytes: Buffer, type: number, at: number): number => {
  if (embedded.has(type)) return bytes.readInt32LE(at);
  if (type === text) return 4 + bytes.readInt32LE(at);
  const size = sizes[type];
  if (size === undefined) throw new Error(`a profile holds a value of the BSON type ${type}`);
  return size;
};

const headLength = 4;

/** Of a document or an array. */
export function* elementsIn(bytes: Buffer): Generator<Element> {
  for (let start = headLength; start < bytes.length - 1; ) {
    const type = bytes[start] ?? 0;
    let value = start + 1;
    while (bytes[value] !== 0) value++;
    value += 1;
    const end = value + sizeOf(bytes, type, value);
    yield { type, start, value, end };
    start = end;
  }
}

export const nameOf = (bytes: Buffer, { start, value }: Element): string =>
  bytes.toString('utf8', start + 1, value - 1);

export const packedIn = (bytes: Buffer, { value, end }: Element): Buffer => bytes.subarray(value, end);

/** A document with only these elements of another one. */
export const withOnly = (bytes: Buffer, elements: readonly Element[]): Buffer => {
  const parts = elements.map(({ start, end }) => bytes.subarray(start, end));
  const head = Buffer.alloc(headLength);
  const end = Buffer.alloc(1);
  head.writeInt32LE(parts.reduce((sum, { length }) => sum + length, headLength + 1));
  return Buffer.concat([head, ...parts, end]);
};

export const memberOf = (bytes: Buffer, name: string): Buffer | undefined => {
  for (const element of elementsIn(bytes))
    if (nameOf(bytes, element) === name) return packedIn(bytes, element);
  return undefined;
};
