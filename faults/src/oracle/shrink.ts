/** Makes a history that could not be explained smaller, as long as it still can't be when it is played again. */
import type { History } from './history.ts';

/** Every history with one operation less, and those with less in the beginning. */
const smaller = (history: History): History[] => [
  ...history.phases.flatMap((phase, number) =>
    phase.map((_, place) => ({
      ...history,
      phases: history.phases
        .map((operations, at) => (at === number ? operations.toSpliced(place, 1) : operations))
        .filter((operations) => operations.length > 0),
    })),
  ),
  ...history.beginning.map((_, place) => ({ ...history, beginning: history.beginning.toSpliced(place, 1) })),
];

/** What goes wrong by a race does not go wrong each time, so a smaller history gets several chances. */
const chances = 12;

/** `failing` plays some and gives those that could not be explained. */
export const shrink = async (
  history: History,
  failing: (histories: readonly History[]) => Promise<readonly History[]>,
  mostRounds = 12,
): Promise<History> => {
  let smallest = history;
  for (let round = 0; round < mostRounds; round++) {
    const candidates = smaller(smallest);
    const tries = new Map(
      candidates.flatMap((one, place) => Array.from({ length: chances }, () => [{ ...one }, place] as const)),
    );
    const failed = (await failing([...tries.keys()])).map((one) => tries.get(one));
    // Of those that fail, the one that does so most often.
    const counts = candidates.map((_, place) => failed.filter((other) => other === place).length);
    const most = Math.max(0, ...counts);
    const next = candidates[counts.indexOf(most)];
    if (most === 0 || !next) break;
    smallest = next;
  }
  return smallest;
};
