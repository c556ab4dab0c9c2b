/** Numbers by keys of 64 bits, in 12 bytes for each place. Open addressing: at most two thirds of the places are taken. */
export const createNumbers = (most: number) => {
  const places = Math.max(8, Math.ceil(most * 1.5));
  const [keys, values] = [new BigUint64Array(places), new Uint32Array(places)];
  /** Of the key, or where it would stand. */
  const placeOf = (key: bigint): number => {
    let place = Number(BigInt.asUintN(32, key)) % places;
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
  };
};
