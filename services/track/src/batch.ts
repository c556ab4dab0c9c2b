/** The requests of one turn, ready to be applied. */
import {
  type AcceptedRequest,
  type EventEntry,
  type PurchaseEntry,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';
import { identifierOf, type Prepared, prepare } from '@roster/profile';

export type TrackRequest = Prepared<EventEntry, PurchaseEntry>;

/** The judge has seen the body: this is the one place that believes it. */
const bodyOf = ({ body, exact }: AcceptedRequest): TrackAccepted =>
  (exact ? unpackExact(body) : (body ?? {})) as TrackAccepted;

export const prepared = (request: AcceptedRequest): TrackRequest =>
  prepare({ id: request.id, ws: request.ws, at: request.at, op: request.op, body: bodyOf(request) });

const isByContact = (entry: EventEntry | string): boolean => {
  if (typeof entry === 'string' || (entry.email ?? entry.phone) == null) return false;
  const by = identifierOf(entry)?.by;
  return by === 'email' || by === 'phone';
};

/** Whether an entry names a person by email or phone. */
export const namesByContact = (request: AcceptedRequest): boolean => {
  const { attributes = [], events = [], purchases = [] } = bodyOf(request);
  return [attributes, events, purchases].some((entries) =>
    (entries as (EventEntry | string)[]).some(isByContact),
  );
};

/** Each request once, in the order of their stamps, whatever the queue did. */
export const inOrder = (requests: readonly AcceptedRequest[]): AcceptedRequest[] => {
  const once = new Map<string, AcceptedRequest>();
  for (const request of requests.toSorted((a, b) => a.at - b.at)) {
    if (!once.has(request.id)) once.set(request.id, request);
  }
  return [...once.values()];
};
