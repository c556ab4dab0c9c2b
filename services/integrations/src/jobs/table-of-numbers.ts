/** Numbers by keys of 64 bits, in 12 bytes for each place. Open addressing: at most two thirds of the places are taken. */
import { randomBytes } from 'node:crypto';

/** Nobody outside knows which keys meet: whoever writes the rows could choose them so that all do. */
const secret = randomBytes(8).readBigUInt64BE() | 1n;

export const createNumbers = (most: number, multiplier = secret) => {
  const places = Math.max(8, Math.ceil(most * 1.5));
  const [keys, values] = [new BigUint64Array(places), new Uint32Array(places)];
  const firstOf = (key: bigint): number => Number(BigInt.asUintN(64, key * multiplier) >> 32n) % places;
  /** Of the key, or where it would stand. */
  const placeOf = (key: bigint): number => {
    let place = firstOf(key);
    while (values[place] !== 0 && keys[place] !== key) place = (place + 1) % places;
    return place;
  };
  return {
    /** 0: there is none. */
    get: (key: bigint): number => values[placeOf(key)] ?? 0,
    set(key: bigint, value: number): void {
      const place = placeOf(key);
      [keys[place], values[place]] = [key, value];
    },
    /** How far the key stands from where it should: for tests. */
    stepsTo: (key: bigint): number => (placeOf(key) - firstOf(key) + places) % places,
  };
};
