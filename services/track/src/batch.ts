/** The requests of one turn, ready to be applied. */
import type { AcceptedRequest, EventEntry, PurchaseEntry } from '@roster/contract';
import { type PreparedRequest, prepare } from '@roster/profile';
import { entriesIn } from './operations.ts';

export type TrackRequest = PreparedRequest<EventEntry, PurchaseEntry>;

export const prepared = (request: AcceptedRequest): TrackRequest =>
  prepare({ id: request.id, ws: request.ws, at: request.at, op: request.op, body: entriesIn(request) });
