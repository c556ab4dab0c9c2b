/**
 * Requests that wait for what was accepted before them and names one of their people. One that found the person who was changed last of several
 * is about another one if an unfinished request changes that one; one that found nobody, if an unfinished request creates the person.
 */
import type { AcceptedRequest } from '@roster/contract';
import { namesIn, namesOf, type Result } from '@roster/profile';
import type { ReadEarlier } from '@roster/queue';

/** A request, and the names of the people among whom it chose, or of those whom it did not find. */
export interface Ranked extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names: ReadonlySet<string>;
  /** It found nobody, and has not chosen among several. */
  isCreating: boolean;
}

export const rankedOf = ({ origin: { id, ws, at }, among = [], unknown = [] }: Result): Ranked => ({
  id,
  ws,
  at,
  names: new Set([...among.flatMap(namesOf), ...unknown]),
  isCreating: among.length === 0,
});

/** Whether an earlier request was looked for by all of these names. */
export const isLookedUp = ({ id, names }: Ranked, lookedUp: LookedUp): boolean => {
  const known = lookedUp.get(id);
  return known !== undefined && [...names].every((name) => known.has(name));
};

/** By request id: the names by which no earlier unfinished request was found. */
export type LookedUp = ReadonlyMap<string, ReadonlySet<string>>;

type ByName = Map<string, Ranked[]>;

const byNameOf = (all: readonly Ranked[]): ByName => {
  const byName: ByName = new Map();
  for (const one of all) for (const name of one.names) byName.set(name, [...(byName.get(name) ?? []), one]);
  return byName;
};

/** The requests that name one of the people. One with numbers that are not read digit by digit here may name anybody. */
const namedBy = (
  { ws, at, body, params, query, exact }: AcceptedRequest,
  byName: ByName,
  all: readonly Ranked[],
) => {
  const later = new Set<Ranked>();
  if (exact) for (const one of all) later.add(one);
  else
    namesIn([body, params, query], byName, (name) => {
      for (const one of byName.get(name) ?? []) later.add(one);
    });
  return [...later].filter((one) => one.ws === ws && one.at > at);
};

/** The ids of those that wait: for `earlier` requests, or for another one of them that waits. */
export const waitingAmong = (
  all: readonly Ranked[],
  earlier: readonly AcceptedRequest[],
  batch: readonly AcceptedRequest[],
): Set<string> => {
  const byName = byNameOf(all);
  const waiting = new Set<string>();
  const note = (request: AcceptedRequest): void => {
    for (const { id } of namedBy(request, byName, all)) waiting.add(id);
  };
  for (const request of earlier) note(request);
  // In the order of their stamps: each is noted before those behind it.
  for (const request of batch) if (waiting.has(request.id)) note(request);
  return waiting;
};

interface LookingUp {
  batch: readonly AcceptedRequest[];
  /** Requests of the batch that wait already. */
  postponed: ReadonlySet<string>;
  readEarlier: ReadEarlier;
}

/** Asks the queues. Runs before the next snapshot is taken, so the snapshot contains every request finished by then. */
export const lookUp = async (
  all: readonly Ranked[],
  { batch, postponed, readEarlier }: LookingUp,
): Promise<Set<string>> => {
  const { requests, upTo } = await readEarlier(all, new Set(batch.map(({ id }) => id)));
  const unclear = new Set(all.filter(({ at }) => at > upTo).map(({ id }) => id));
  const waiting = batch.filter(({ id }) => postponed.has(id) || unclear.has(id));
  return new Set([...unclear, ...waitingAmong(all, [...requests, ...waiting], batch)]);
};
