/** So many tries in so much time for one address or name; and never more than a few passwords checked at once: each costs 64 MB. */
const most = { tries: 10, remembered: 10_000, atOnce: 4 };
const windowMs = 5 * 60_000;

export interface Throttle {
  /** Whether one more try may be made; counts it. */
  mayTry(names: readonly string[]): boolean;
  /** The right password: what was counted against these is forgotten. */
  forget(names: readonly string[]): void;
  begin(): boolean;
  end(): void;
}

export const createThrottle = (now: () => number): Throttle => {
  const tries = new Map<string, { count: number; until: number }>();
  let running = 0;

  const count = (name: string): number => {
    const known = tries.get(name);
    const entry = known && known.until > now() ? known : { count: 0, until: now() + windowMs };
    entry.count += 1;
    tries.delete(name);
    tries.set(name, entry);
    if (tries.size > most.remembered) tries.delete(tries.keys().next().value ?? '');
    return entry.count;
  };

  return {
    mayTry: (names) => names.map(count).every((times) => times <= most.tries),
    forget: (names) => {
      for (const name of names) tries.delete(name);
    },
    begin: () => {
      if (running >= most.atOnce) return false;
      running += 1;
      return true;
    },
    end: () => {
      running -= 1;
    },
  };
};
