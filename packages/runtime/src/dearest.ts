/**
 * Sums by name, where names may be very many: those with the largest amounts lately have a sum of their own, all others share one. Each
 * amount counts once, in the sum that its name has at that moment.
 */

export interface DearestOptions {
  /** Names with a sum of their own. */
  most: number;
  /** Names whose amounts are remembered, because they may get a sum of their own. */
  watched?: number;
}

export interface Dearest {
  add(name: string, amount: number): void;
  /** Chooses the names anew. Amounts before the last call count half, those before the last but one a quarter. */
  choose(): void;
  sums(): { name: string; sum: number }[];
}

/** The name of the shared sum: brackets are in no id of a workspace. */
export const others = '(others)';

const largest = (recent: ReadonlyMap<string, number>, most: number): Set<string> => {
  const sorted = [...recent].toSorted(([, a], [, b]) => b - a);
  return new Set(sorted.slice(0, most).map(([name]) => name));
};

/** Amounts that hardly count any more are forgotten. */
const halved = (recent: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...recent].flatMap(([name, amount]) => (amount >= 2 ? [[name, amount / 2] as const] : [])));

export const createDearest = ({ most, watched = 10_000 }: DearestOptions): Dearest => {
  const own = new Map<string, number>();
  let recent = new Map<string, number>();
  let shared = 0;

  const remember = (name: string, amount: number): void => {
    const before = recent.get(name);
    if (before !== undefined || recent.size < watched) recent.set(name, (before ?? 0) + amount);
  };

  return {
    add(name, amount) {
      remember(name, amount);
      const sum = own.get(name);
      if (sum !== undefined || own.size < most) own.set(name, (sum ?? 0) + amount);
      else shared += amount;
    },
    choose() {
      const chosen = largest(recent, most);
      recent = halved(recent);
      const coming = [...chosen].filter((name) => !own.has(name));
      const leaving = [...own.keys()].filter((name) => !chosen.has(name));
      // A sum that ends is dropped: were it added to the shared one, its whole past would look like work of this minute.
      for (const name of leaving.slice(0, Math.max(0, own.size + coming.length - most))) own.delete(name);
      for (const name of coming) own.set(name, 0);
    },
    sums: () => [
      ...[...own].map(([name, sum]) => ({ name, sum })),
      ...(shared > 0 ? [{ name: others, sum: shared }] : []),
    ],
  };
};
