/** Counts by name. A name whose count is nothing takes no memory. */
export const createTally = () => {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, count: number): void {
      const now = of(name) + count;
      if (now > 0) counts.set(name, now);
      else counts.delete(name);
    },
  };
};
