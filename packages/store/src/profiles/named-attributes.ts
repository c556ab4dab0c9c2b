/** Finds attributes by name in a packed list, without unpacking the others. */

interface FoundAttribute {
  place: number;
  /** Its document in the list. */
  start: number;
  end: number;
}

interface FoundAttributes {
  count: number;
  places: FoundAttribute[];
  /** The bytes found. */
  bytes: number;
}

export interface AttributeNames {
  findIn(list: Buffer): FoundAttributes;
}

/** The same for equal names, seldom for others: comparing texts costs five times as much. */
const markOf = (bytes: Buffer, start: number, length: number): number => {
  if (length === 0) return 0;
  const [first = 0, middle = 0, last = 0] = [
    bytes[start],
    bytes[start + (length >> 1)],
    bytes[start + length - 1],
  ];
  return (length << 24) ^ (first << 16) ^ (middle << 8) ^ last;
};

const documentType = 3;
const textType = 2;
const letterK = 0x6b;
const headLength = 4;
/** An attribute begins with its length, the type of `k`, `k` and a zero; then comes the length of the text, with its closing zero. */
const lengthOfName = headLength + 3;
const nameAt = lengthOfName + 4;

/** `readInt32LE` checks its offset again, which doubles the time for an attribute. */
const int32At = (bytes: Buffer, at: number): number =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24);

export const createNames = (names: ReadonlySet<string> | 'all'): AttributeNames => {
  const marks = new Set<number>();
  for (const name of names === 'all' ? [] : names) {
    const bytes = Buffer.from(name);
    marks.add(markOf(bytes, 0, bytes.length));
  }

  /** An attribute that does not begin with its name was written by hand: it is read. */
  const isNamed = (list: Buffer, start: number): boolean => {
    if (names === 'all') return true;
    if (list[start + headLength] !== textType || list[start + headLength + 1] !== letterK) return true;
    const length = int32At(list, start + lengthOfName) - 1;
    if (!marks.has(markOf(list, start + nameAt, length))) return false;
    return names.has(list.toString('utf8', start + nameAt, start + nameAt + length));
  };

  return {
    findIn(list) {
      const found: FoundAttributes = { count: 0, places: [], bytes: 0 };
      /** The name of an element is its position: at least so many digits. */
      let [digits, nextDigits] = [1, 10];
      let at = headLength;
      while (at < list.length - 1) {
        if (list[at] !== documentType) throw new Error('a profile holds an attribute that is not a document');
        if (found.count === nextDigits) {
          digits += 1;
          nextDigits *= 10;
        }
        at += 1 + digits;
        while (list[at] !== 0) at += 1;
        const start = at + 1;
        const end = start + int32At(list, start);
        if (isNamed(list, start)) {
          found.places.push({ place: found.count, start, end });
          found.bytes += end - start;
        }
        found.count += 1;
        at = end;
      }
      return found;
    },
  };
};
