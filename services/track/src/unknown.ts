/** A request that found nobody by some names waits for unfinished requests that were accepted before it and have one of the names: they may create the person. */
import type { AcceptedRequest } from '@roster/contract';
import { addTo, type EntryResults, namesIn } from '@roster/profile';
import type { OldestOf, ReadEarlier } from '@roster/queue';
import { findFirst, type Unknown, type Waiters } from './premature.ts';

export const unknownOf = ({ origin: { id, ws, at }, premature, unknown }: EntryResults): Unknown => ({
  id,
  ws,
  at,
  names: premature ? undefined : new Set(unknown),
});

/** Whether unfinished requests were searched for all of these names. */
export const isLookedUp = ({ id, names }: Unknown, lookedUp: Waiters['lookedUp']): boolean => {
  const known = lookedUp.get(id);
  return names !== undefined && known !== undefined && [...names].every((name) => known.has(name));
};

type ByName = Map<string, Set<Unknown>>;

const byNameOf = (all: readonly Unknown[]): ByName => {
  const byName: ByName = new Map();
  for (const one of all) for (const name of one.names ?? []) addTo(byName, name, one);
  return byName;
};

/** The later requests that a request names. A request with long numbers, which are not compared here, may name any person. */
const namedBy = (
  { ws, at, body, params, query, exact }: AcceptedRequest,
  byName: ByName,
  all: readonly Unknown[],
) => {
  const later = new Set<Unknown>();
  if (exact) for (const one of all) later.add(one);
  else
    namesIn([body, params, query], byName, (name) => {
      for (const one of byName.get(name) ?? []) later.add(one);
    });
  return [...later].filter((one) => one.ws === ws && one.at > at);
};

/** The ids of the requests that wait: for `earlier` requests, or for another waiting request. */
export const waitingAmong = (
  all: readonly Unknown[],
  earlier: readonly AcceptedRequest[],
  batch: readonly AcceptedRequest[],
): Set<string> => {
  const byName = byNameOf(all);
  const waiting = new Set<string>();
  const note = (request: AcceptedRequest): void => {
    for (const { id } of namedBy(request, byName, all)) waiting.add(id);
  };
  for (const request of earlier) note(request);
  // In the order of their stamps: each request is noted before the later ones.
  for (const request of batch) if (waiting.has(request.id)) note(request);
  return waiting;
};

interface Looking {
  batch: readonly AcceptedRequest[];
  oldest: () => Promise<OldestOf>;
  readEarlier: ReadEarlier;
  waiters: Waiters;
}

/**
 * Runs before the next snapshot is taken, so the snapshot contains every request finished by then. One look is enough: if the next plan finds
 * more names for a request, the request waits.
 */
export const sortOut = async (
  all: readonly Unknown[],
  { batch, oldest, readEarlier, waiters }: Looking,
): Promise<void> => {
  const { lookedUp, postponed, due } = waiters;
  for (const { id, names } of all) if (names && lookedUp.has(id)) postponed.add(id);
  const isLeft = ({ id }: Unknown): boolean => !due.has(id) && !postponed.has(id);
  await findFirst(all.filter(isLeft), batch, oldest, waiters);
  for (const { id, names } of all) if (!names && !due.has(id)) postponed.add(id);
  const left = all.filter(isLeft);
  if (left.length === 0) return;
  const { requests, upTo } = await readEarlier(left, new Set(batch.map(({ id }) => id)));
  const unclear = new Set(left.filter(({ at }) => at > upTo).map(({ id }) => id));
  const waits = batch.filter(({ id }) => postponed.has(id) || unclear.has(id));
  const waiting = new Set([...unclear, ...waitingAmong(left, [...requests, ...waits], batch)]);
  for (const { id, names } of left) {
    if (waiting.has(id)) postponed.add(id);
    else if (names) lookedUp.set(id, names);
  }
};
