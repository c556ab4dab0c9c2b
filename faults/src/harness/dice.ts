/** Chance from a seed: a trial that failed can be run again as it was. */
export interface Dice {
  below(sides: number): number;
}

export const createDice = (seed: number): Dice => {
  let state = seed >>> 0;
  return {
    below(sides) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * sides);
    },
  };
};

export const pick = <One>(dice: Dice, all: readonly One[]): One => all[dice.below(all.length)] as One;

export const shuffled = <One>(dice: Dice, all: readonly One[]): One[] => {
  const rest = [...all];
  return all.flatMap(() => rest.splice(dice.below(rest.length), 1));
};
