/**
 * A request is premature when its result may depend on an earlier request that is unfinished, in another partition or in a worker that died.
 * Premature requests are postponed; the others are applied. A request that found nobody by some names waits for unfinished requests that
 * were accepted before it and have one of the names: they may create the person.
 */
import type { AcceptedRequest } from '@roster/contract';
import { addTo, type EntryResults, namesIn } from '@roster/profile';
import type { OldestOf, ReadEarlier } from '@roster/queue';

/** A request that found nobody by some names: an earlier request with one of these names may create the person. Without names any earlier request may. */
export interface Unknown extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names?: ReadonlySet<string> | undefined;
}

/** Undoes a transaction with premature requests. */
export class Premature extends Error {
  override readonly name = 'Premature';
  constructor(
    readonly unknown: readonly Unknown[],
    /** Ids of requests that must wait for a deletion. */
    readonly waiting: readonly string[],
  ) {
    super(`${unknown.length + waiting.length} requests may be premature`);
  }
}

export interface Waiters {
  /** Every track request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
  /** By request id: the names that are in no earlier request. */
  lookedUp: Map<string, ReadonlySet<string>>;
  /** These go back to their queue. */
  postponed: Set<string>;
}

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
  const later = new Set<Unknown>(exact ? all : []);
  if (!exact)
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

/** Requests are due when no earlier request of their workspace is unfinished, and none of the batch waits. */
const findFirst = async (
  some: readonly Unknown[],
  { batch, oldest: oldestBeside, waiters: { due, postponed } }: Looking,
): Promise<void> => {
  if (some.length === 0) return;
  const named = new Set(some.map(({ id }) => id));
  const oldest = await oldestBeside();
  const waiting = new Set<string>();
  for (const { id, ws, at } of batch) {
    if (postponed.has(id)) waiting.add(ws);
    else if (named.has(id) && oldest(ws) > at && !waiting.has(ws)) due.add(id);
  }
};

/**
 * Runs before the next snapshot is taken, so the snapshot contains every request finished by then. One look is enough: if the next plan finds
 * more names for a request, the request waits.
 */
export const sortOut = async (all: readonly Unknown[], looking: Looking): Promise<void> => {
  const { batch, readEarlier, waiters } = looking;
  const { lookedUp, postponed, due } = waiters;
  for (const { id, names } of all) if (names && lookedUp.has(id)) postponed.add(id);
  const isLeft = ({ id }: Unknown): boolean => !due.has(id) && !postponed.has(id);
  await findFirst(all.filter(isLeft), looking);
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
