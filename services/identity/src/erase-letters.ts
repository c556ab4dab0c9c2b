/** Removes deleted people from dead letters: the entries about other people can still be retried. */
import type { DeadLetter, DeadLetters } from '@roster/queue';
import type { Store, SweepDocument } from '@roster/store';
import { without } from './letter-places.ts';
import { meant, suspectsIn } from './suspect-letters.ts';

const lettersAtOnce = 100;

export const createLetterEraser = ({ tombstones }: Pick<Store, 'tombstones'>, letters: DeadLetters) => {
  const erase = async (some: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Promise<void> => {
    const suspects = suspectsIn(some, sweeps);
    const found = await tombstones.fatesOf(
      suspects.flatMap(({ places }) => places.flatMap(({ keys }) => keys)),
    );
    for (const suspect of suspects) {
      const { letter } = suspect;
      const places = meant(suspect, found);
      if (places.length === 0) continue;
      const request = without(letter.request, places);
      if (request) await letters.rewrite({ ...letter, request });
      else await letters.drop(letter.id);
    }
  };

  /** Operators retry and drop letters meanwhile, so the list of letters is read once. */
  return async (sweeps: readonly SweepDocument[]): Promise<void> => {
    const people = sweeps.filter(({ keys }) => keys.length > 0);
    if (people.length === 0) return;
    const ids = await letters.ids();
    for (let next = 0; next < ids.length; next += lettersAtOnce) {
      const some = await Promise.all(ids.slice(next, next + lettersAtOnce).map(letters.get));
      await erase(
        some.filter((letter) => letter !== undefined),
        people,
      );
    }
  };
};

export type EraseLetters = ReturnType<typeof createLetterEraser>;
