/** The work of this worker for each operation of its queue. An operation without a line does not compile. */
import {
  type AcceptedRequest,
  type ListsOf,
  lineOf,
  type OperationsOf,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';

interface Line<List extends string = string> {
  /** The entries in a body, in the form of the rules. */
  readonly read: (body: unknown) => TrackAccepted;
  /** Lists with entries that change people: transactions collide over these people. Events and purchases of an existing person change no profile. */
  readonly changing: readonly List[];
}

type Lines = { readonly [Id in OperationsOf<'track'>]: Line<ListsOf<Id>> };

/** The ingress has judged the body: only this file trusts its type. */
const asSent = (body: unknown): TrackAccepted => (body ?? {}) as TrackAccepted;

const lines: Lines = {
  'users.track': { read: asSent, changing: ['attributes'] },
  'users.track.bulk': { read: asSent, changing: ['attributes'] },
  'users.track.sync': { read: asSent, changing: ['attributes'] },
};

const lineFor = (op: string): Line => lineOf<Record<string, Line>>(lines, op);

export const entriesIn = ({ op, body, exact }: AcceptedRequest): TrackAccepted =>
  lineFor(op).read(exact ? unpackExact(body) : body);

/** Called also for requests of other operations. */
export const changingLists = ({ op }: AcceptedRequest): readonly string[] =>
  Object.hasOwn(lines, op) ? lineFor(op).changing : [];
