/**
 * The ids that were seen, as 64 bits of a hash each: 134 MB for 10,000,000 of them. Two of so many ids have the same bits once in 370,000
 * runs; then the second event is taken for the first one, delivered again.
 */
import { createHash } from 'node:crypto';
import { wrong } from '../result.ts';
import { number } from '../shown.ts';

const mostIds = 10_000_000;
const firstSlots = 2 ** 16;
/** Of the slots, before their number is doubled. */
const fullest = 0.6;

type Bits = readonly [high: number, low: number];

/** Two zeros are an empty slot. */
const bitsOf = (id: string): Bits => {
  const digest = createHash('sha256').update(id).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4) || 1];
};

const createSlots = (count: number) => {
  const slots = new Uint32Array(2 * count);
  /** Where it is, or the empty slot for it. */
  const placeOf = ([high, low]: Bits): number => {
    let at = (low % count) * 2;
    while (slots[at + 1] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) at = (at + 2) % slots.length;
    return at;
  };
  /** Whether it is new. */
  const add = (bits: Bits): boolean => {
    const at = placeOf(bits);
    const isNew = slots[at + 1] === 0;
    slots.set(bits, at);
    return isNew;
  };
  return { count, slots, add };
};

/** Twice as many slots, with what the others have. */
const grown = ({ count, slots }: ReturnType<typeof createSlots>) => {
  const larger = createSlots(2 * count);
  for (let at = 0; at < slots.length; at += 2) {
    const low = slots[at + 1] ?? 0;
    if (low !== 0) larger.add([slots[at] ?? 0, low]);
  }
  return larger;
};

export const createSeenIds = (most = mostIds) => {
  let table = createSlots(firstSlots);
  let size = 0;
  return {
    /** Whether the id is new. */
    add(id: string): boolean {
      if (!table.add(bitsOf(id))) return false;
      size += 1;
      if (size > most)
        throw wrong(`more than ${number(most)} events: give folders of fewer days, one after the other.`);
      if (size > fullest * table.count) table = grown(table);
      return true;
    },
    bytes: () => table.slots.byteLength,
  };
};
