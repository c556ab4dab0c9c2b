/** What is known by a name until its time: of a bounded number of names, as a full memory is emptied. */
export const createKept = <Value>(most = 1000) => {
  const kept = new Map<string, { value: Value; until: number }>();
  return {
    at(name: string, now: number): Value | undefined {
      const known = kept.get(name);
      return known && now < known.until ? known.value : undefined;
    },
    keep(name: string, value: Value, until: number): void {
      if (kept.size >= most) kept.clear();
      kept.set(name, { value, until });
    },
    /** Unless there is another value by now. */
    drop(name: string, value: Value): void {
      if (kept.get(name)?.value === value) kept.delete(name);
    },
  };
};

export type Kept<Value> = ReturnType<typeof createKept<Value>>;
