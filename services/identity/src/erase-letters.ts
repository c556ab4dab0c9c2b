/** Takes people who were deleted out of dead letters: what is about others can still be retried. */
import type { AcceptedRequest } from '@roster/contract';
import { identifierOf, identityKey, identityKeysIn } from '@roster/profile';
import type { DeadLetter, DeadLetters } from '@roster/queue';
import { fateAt, type Store, type SweepDocument, type Tombstone } from '@roster/store';
import { identityRequest } from './requests.ts';

/** Stands where an entry was; it counts as refused. */
export const erased = 'ERASED';

type Body = Record<string, unknown>;
interface Place {
  array: string;
  index: number;
  keys: string[];
}

const trackArrays = ['attributes', 'events', 'purchases'] as const;

const trackPlaces = ({ ws, body }: AcceptedRequest): Place[] =>
  trackArrays.flatMap((array) => {
    const entries = (body as Body | undefined)?.[array];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, index) => {
      const identifier = typeof entry === 'object' && entry ? identifierOf(entry) : undefined;
      return identifier ? [{ array, index, keys: [identityKey(ws, identifier)] }] : [];
    });
  });

const identityPlaces = (request: AcceptedRequest): Place[] =>
  Object.entries(identityRequest(request).lists).flatMap(([array, entries]) =>
    entries.flatMap((entry, index) =>
      typeof entry === 'string' ? [] : [{ array, index, keys: identityKeysIn(request.ws, entry) }],
    ),
  );

const placesIn = (request: AcceptedRequest): Place[] => [...trackPlaces(request), ...identityPlaces(request)];

/** The letter without these entries; nothing when no entry is left. */
const without = (letter: DeadLetter, places: readonly Place[]): DeadLetter | undefined => {
  const body: Body = { ...(letter.request.body as Body) };
  for (const { array, index } of places) body[array] = (body[array] as unknown[]).with(index, erased);
  const left = placesIn({ ...letter.request, body });
  return left.length > 0 ? { ...letter, request: { ...letter.request, body } } : undefined;
};

const pageSize = 100;

/** The people to be erased of one workspace, up to one stamp. */
const concerned = ({ ws, at }: AcceptedRequest, sweeps: readonly SweepDocument[]): SweepDocument[] =>
  sweeps.filter((sweep) => sweep.ws === ws && at <= sweep.at);

interface Suspect {
  letter: DeadLetter;
  places: Place[];
  sweeps: SweepDocument[];
}

const suspectsIn = (page: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Suspect[] =>
  page.flatMap((letter) => {
    const own = concerned(letter.request, sweeps);
    const places = own.length > 0 ? placesIn(letter.request) : [];
    return places.length > 0 ? [{ letter, places, sweeps: own }] : [];
  });

/** An identifier that the person lost earlier leads to them by its tombstone. */
const meant = ({ letter, places, sweeps }: Suspect, tombstones: ReadonlyMap<string, Tombstone>): Place[] => {
  const keys = new Set(sweeps.flatMap((sweep) => sweep.keys));
  const ids = new Set(sweeps.flatMap(({ profiles }) => profiles));
  const leads = (key: string): boolean => {
    const tombstone = tombstones.get(key);
    return keys.has(key) || ids.has((tombstone && fateAt(tombstone, letter.request.at)?.to) ?? '');
  };
  return places.filter((place) => place.keys.some(leads));
};

export const createLetterEraser = ({ tombstones }: Pick<Store, 'tombstones'>, letters: DeadLetters) => {
  /** How many letters there are fewer afterwards. */
  const erase = async (page: readonly DeadLetter[], sweeps: readonly SweepDocument[]): Promise<number> => {
    const suspects = suspectsIn(page, sweeps);
    const found = await tombstones.find(suspects.flatMap(({ places }) => places.flatMap(({ keys }) => keys)));
    let dropped = 0;
    for (const suspect of suspects) {
      const places = meant(suspect, found);
      if (places.length === 0) continue;
      const rest = without(suspect.letter, places);
      if (rest) await letters.rewrite(rest);
      else if (await letters.drop(suspect.letter.id)) dropped += 1;
    }
    return dropped;
  };

  return async (sweeps: readonly SweepDocument[]): Promise<void> => {
    const people = sweeps.filter(({ keys }) => keys.length > 0);
    if (people.length === 0) return;
    for (let offset = 0; ; ) {
      const page = await letters.list({ limit: pageSize, offset });
      if (page.length === 0) return;
      offset += page.length - (await erase(page, people));
    }
  };
};

export type EraseLetters = ReturnType<typeof createLetterEraser>;
