/** What is known by a name for some time: of a bounded number of names, those that were asked for last. */
export const createRemembered = <Value>(most: number) => {
  // The one that was asked for last is at the end.
  const all = new Map<string, { value: Value; until: number }>();
  return {
    at(name: string): Value | undefined {
      const one = all.get(name);
      if (!one) return undefined;
      all.delete(name);
      if (performance.now() >= one.until) return undefined;
      all.set(name, one);
      return one.value;
    },
    keep(name: string, value: Value, until: number): void {
      all.delete(name);
      all.set(name, { value, until });
      const [oldest] = all.keys();
      if (all.size > most && oldest !== undefined) all.delete(oldest);
    },
  };
};
