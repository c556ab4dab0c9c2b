/** So many pieces of work, with so many hands at once. */
export const inHands = async (
  count: number,
  hands: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const hand = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: hands }, hand));
};
