/** The bytes in use, by workspace. */
export const createHoldings = (bytes: number, share: number) => {
  let used = 0;
  const held = new Map<string, number>();
  const ownFits = (ws: string, amount: number): boolean => (held.get(ws) ?? 0) + amount <= share;
  return {
    ownFits,
    fits: (ws: string, amount: number): boolean => used + amount <= bytes && ownFits(ws, amount),
    hold(ws: string, amount: number): void {
      used += amount;
      held.set(ws, (held.get(ws) ?? 0) + amount);
    },
    letGo(ws: string, amount: number): void {
      used -= amount;
      const left = (held.get(ws) ?? 0) - amount;
      if (left > 0) held.set(ws, left);
      else held.delete(ws);
    },
    used: (): number => used,
  };
};
