/** The work of this worker for each operation of its queue. An operation without a line does not compile. */
import {
  type AcceptedRequest,
  type EventEntry,
  type ListsOf,
  lineOf,
  type OperationsOf,
  type PurchaseEntry,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';
import { type PreparedRequest, prepare } from '@roster/profile';

interface TrackLine<List extends string = string> {
  /** The entries in a body, in the form of the rules. */
  readonly read: (body: unknown) => TrackAccepted;
  /** Lists whose entries change people: transactions collide over these people. Events and purchases of an existing person change no profile. */
  readonly changing: readonly List[];
}

type TrackLines = { readonly [Id in OperationsOf<'track'>]: TrackLine<ListsOf<Id>> };

/** The ingress has judged the body: only this file trusts its type. */
const asSent = (body: unknown): TrackAccepted => (body ?? {}) as TrackAccepted;

const lines: TrackLines = {
  'users.track': { read: asSent, changing: ['attributes'] },
  'users.track.bulk': { read: asSent, changing: ['attributes'] },
  'users.track.sync': { read: asSent, changing: ['attributes'] },
};

const lineFor = (op: string): TrackLine => lineOf<Record<string, TrackLine>>(lines, op);

const entriesIn = ({ op, body, exact }: AcceptedRequest): TrackAccepted =>
  lineFor(op).read(exact ? unpackExact(body) : body);

/** Called also for requests of other operations. */
export const changingLists = ({ op }: AcceptedRequest): readonly string[] =>
  Object.hasOwn(lines, op) ? lineFor(op).changing : [];

export type TrackRequest = PreparedRequest<EventEntry, PurchaseEntry>;

export const prepared = (request: AcceptedRequest): TrackRequest =>
  prepare({ id: request.id, ws: request.ws, at: request.at, op: request.op, body: entriesIn(request) });
