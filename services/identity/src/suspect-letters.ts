/** The dead letters that may name deleted people. */
import type { AcceptedRequest } from '@roster/contract';
import { type Fate, fateAt } from '@roster/profile';
import type { DeadLetter } from '@roster/queue';
import type { SweepDocument } from '@roster/store';
import { type Place, placesIn } from './letter-places.ts';

/** The deleted people of one workspace, up to one stamp. */
const concerned = ({ ws, at }: AcceptedRequest, sweeps: readonly SweepDocument[]): SweepDocument[] =>
  sweeps.filter((sweep) => sweep.ws === ws && at <= (sweep.until ?? sweep.at));

interface Suspect {
  letter: DeadLetter;
  places: Place[];
  sweeps: SweepDocument[];
}

export const suspectsIn = (some: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Suspect[] =>
  some.flatMap((letter) => {
    const own = concerned(letter.request, sweeps);
    const places = own.length > 0 ? placesIn(letter.request) : [];
    return places.length > 0 ? [{ letter, places, sweeps: own }] : [];
  });

/** An identifier that the person lost before leads to them by its tombstone. */
export const meant = (
  { letter, places, sweeps }: Suspect,
  fates: ReadonlyMap<string, readonly Fate[]>,
): Place[] => {
  const keys = new Set(sweeps.flatMap((sweep) => sweep.keys));
  const ids = new Set(sweeps.flatMap(({ profiles }) => profiles));
  const leads = (key: string): boolean =>
    keys.has(key) || ids.has(fateAt(fates.get(key) ?? [], letter.request.at)?.to ?? '');
  return places.filter((place) => place.keys.some(leads));
};
