/** Makes a history that could not be explained smaller, as long as it still can't be when it is played again. */
import type { History } from './history.ts';

/** Every history with one operation less. */
const smaller = ({ seed, phases }: History): History[] =>
  phases.flatMap((phase, number) =>
    phase.map((_, place) => ({
      seed,
      phases: phases
        .map((operations, at) => (at === number ? operations.toSpliced(place, 1) : operations))
        .filter((operations) => operations.length > 0),
    })),
  );

/** What goes wrong by a race does not go wrong each time, so a smaller history gets several chances. */
const chances = 4;

export const shrink = async (
  history: History,
  isUnexplained: (history: History) => Promise<boolean>,
  mostPlays = 60,
): Promise<History> => {
  let [smallest, plays] = [history, 0];
  const failsAgain = async (candidate: History): Promise<boolean> => {
    for (let chance = 0; chance < chances && plays < mostPlays; chance++, plays++) {
      if (await isUnexplained(candidate)) return true;
    }
    return false;
  };
  for (let found = true; found && plays < mostPlays; ) {
    found = false;
    for (const candidate of smaller(smallest)) {
      if (!(await failsAgain(candidate))) continue;
      [smallest, found] = [candidate, true];
      break;
    }
  }
  return smallest;
};
