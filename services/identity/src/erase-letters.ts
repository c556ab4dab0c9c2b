/** Removes deleted people from dead letters: the entries about other people can still be retried. */
import { type AcceptedRequest, isJsonObject, type PeoplePlace, placesNamed } from '@roster/contract';
import { type Fate, fateAt, keysOfSubject, subjectOf } from '@roster/profile';
import type { DeadLetter, DeadLetters } from '@roster/queue';
import type { Store, SweepDocument } from '@roster/store';

const lettersAtOnce = 100;

/** The deleted people of one workspace, up to one stamp. */
const concerned = ({ ws, at }: AcceptedRequest, sweeps: readonly SweepDocument[]): SweepDocument[] =>
  sweeps.filter((sweep) => sweep.ws === ws && at <= (sweep.until ?? sweep.at));

interface LetterPlace extends Pick<PeoplePlace, 'erase'> {
  /** Identity keys of all people named there. */
  keys: string[];
}

/** An import of push tokens has no identifier: it is about the people who have the tokens. */
const keysOf = (ws: string, named: PeoplePlace['named'][number]): string[] => {
  const subject = subjectOf(named);
  return subject ? keysOfSubject(ws, subject) : [];
};

const placesIn = ({ ws, op, body }: AcceptedRequest): LetterPlace[] =>
  placesNamed(op, body).flatMap(({ named, erase }) => {
    const keys = named.flatMap((one) => keysOf(ws, one));
    return keys.length > 0 ? [{ keys, erase }] : [];
  });

/** The request without these places; `undefined` when no person is left in it. */
const without = (request: AcceptedRequest, places: readonly LetterPlace[]) => {
  const body = structuredClone(request.body);
  if (isJsonObject(body)) for (const place of places) place.erase(body);
  const left = { ...request, body };
  return placesIn(left).length > 0 ? left : undefined;
};

interface Suspect {
  letter: DeadLetter;
  places: LetterPlace[];
  sweeps: SweepDocument[];
}

const suspectsIn = (some: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Suspect[] =>
  some.flatMap((letter) => {
    const own = concerned(letter.request, sweeps);
    const places = own.length > 0 ? placesIn(letter.request) : [];
    return places.length > 0 ? [{ letter, places, sweeps: own }] : [];
  });

/** An identifier that the person lost before leads to them by its tombstone. */
const meant = ({ letter, places, sweeps }: Suspect, fates: ReadonlyMap<string, readonly Fate[]>) => {
  const keys = new Set(sweeps.flatMap((sweep) => sweep.keys));
  const ids = new Set(sweeps.flatMap(({ profiles }) => profiles));
  const leads = (key: string): boolean =>
    keys.has(key) || ids.has(fateAt(fates.get(key) ?? [], letter.request.at)?.to ?? '');
  return places.filter((place) => place.keys.some(leads));
};

export const createLetterEraser = ({ tombstones }: Pick<Store, 'tombstones'>, letters: DeadLetters) => {
  const erase = async (some: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Promise<void> => {
    const suspects = suspectsIn(some, sweeps);
    const named = suspects.flatMap(({ places }) => places.flatMap(({ keys }) => keys));
    const found = await tombstones.fatesOf(named);
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
      const there = some.filter((letter) => letter !== undefined);
      await erase(there, people);
    }
  };
};

export type EraseLetters = ReturnType<typeof createLetterEraser>;
