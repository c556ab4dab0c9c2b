/**
 * Requests that depend on requests that were accepted before them and name one of their people. A request that chose the last changed one of
 * several people depends on unfinished changes of the others; a request that found no person depends on unfinished requests that may create the person.
 */
import type { AcceptedRequest } from '@roster/contract';
import { namesIn, namesOf, type Result } from '@roster/profile';
import type { ReadEarlier } from '@roster/queue';

/** A request, with the names of the people among whom it chose, and the names by which it found no person. */
export interface Depending extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names: ReadonlySet<string>;
  /** It found no person, and has not chosen among several. */
  isCreating: boolean;
}

export const dependingOf = ({ origin: { id, ws, at }, among = [], unknown = [] }: Result): Depending => ({
  id,
  ws,
  at,
  names: new Set([...among.flatMap(namesOf), ...unknown]),
  isCreating: among.length === 0,
});

/** Whether an earlier request was looked for by all of these names. */
export const isLookedUp = ({ id, names }: Depending, lookedUp: LookedUp): boolean => {
  const known = lookedUp.get(id);
  return known !== undefined && [...names].every((name) => known.has(name));
};

/** By request id: the names by which no earlier unfinished request was found. */
export type LookedUp = ReadonlyMap<string, ReadonlySet<string>>;

type ByName = Map<string, Depending[]>;

const byNameOf = (all: readonly Depending[]): ByName => {
  const byName: ByName = new Map();
  for (const one of all) for (const name of one.names) byName.set(name, [...(byName.get(name) ?? []), one]);
  return byName;
};

/** The requests that name one of the people. A request with numbers that are not read digit by digit here may name any person. */
const namedBy = (
  { ws, at, body, params, query, exact }: AcceptedRequest,
  byName: ByName,
  all: readonly Depending[],
) => {
  const later = new Set<Depending>();
  if (exact) for (const one of all) later.add(one);
  else
    namesIn([body, params, query], byName, (name) => {
      for (const one of byName.get(name) ?? []) later.add(one);
    });
  return [...later].filter((one) => one.ws === ws && one.at > at);
};

/** The ids of requests that wait: for `earlier` requests, or for a waiting request of the batch. */
export const waitingAmong = (
  all: readonly Depending[],
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
  all: readonly Depending[],
  { batch, postponed, readEarlier }: LookingUp,
): Promise<Set<string>> => {
  const { requests, upTo } = await readEarlier(all, new Set(batch.map(({ id }) => id)));
  const unclear = new Set(all.filter(({ at }) => at > upTo).map(({ id }) => id));
  const waiting = batch.filter(({ id }) => postponed.has(id) || unclear.has(id));
  return new Set([...unclear, ...waitingAmong(all, [...requests, ...waiting], batch)]);
};
