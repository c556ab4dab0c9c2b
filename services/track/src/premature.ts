/**
 * The result of a premature request may depend on a request that was accepted before it and is unfinished: it may be waiting in another
 * partition or with a worker that just died. Premature requests are postponed; the others go on.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { Depending } from './depending.ts';

/** Requests by their kind of dependency. */
export interface Early {
  /** They found no such person, and any earlier request may create the person. */
  creating: readonly Pick<AcceptedRequest, 'id'>[];
  /** They found no person, or chose the last changed one of several. An earlier request that names one of these people may change that. */
  depending: readonly Depending[];
  /** They certainly have to wait: for a deletion. */
  waiting: readonly string[];
}

/** Undoes a transaction with premature requests. */
export class Premature extends Error {
  readonly early: Early;
  constructor(early: Early) {
    super(`${Object.values(early).flat().length} requests may be premature`);
    this.name = 'Premature';
    this.early = early;
  }
}
