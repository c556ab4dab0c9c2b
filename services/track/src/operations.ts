/** What this worker does with each operation of its queue. An operation without a line does not compile. */
import {
  type AcceptedRequest,
  type ListsOf,
  lineOf,
  type OperationsOf,
  type TrackAccepted,
  unpackExact,
} from '@roster/contract';

interface Line<List extends string = string> {
  /** The entries in a body, as the rules take them. */
  readonly read: (body: unknown) => TrackAccepted;
  /** Lists whose entries change people: over these people transactions collide. Events and purchases of somebody who exists change nobody. */
  readonly changing: readonly List[];
}

type Lines = { readonly [Id in OperationsOf<'track'>]: Line<ListsOf<Id>> };

/** The judge has seen the body: this is the one place that believes it. */
const asSent = (body: unknown): TrackAccepted => (body ?? {}) as TrackAccepted;

const lines: Lines = {
  'users.track': { read: asSent, changing: ['attributes'] },
  'users.track.bulk': { read: asSent, changing: ['attributes'] },
  'users.track.sync': { read: asSent, changing: ['attributes'] },
};

const lineFor = (op: string): Line => lineOf<Record<string, Line>>(lines, op);

export const entriesIn = ({ op, body, exact }: AcceptedRequest): TrackAccepted =>
  lineFor(op).read(exact ? unpackExact(body) : body);

/** Asked of requests that may be of no operation of this queue, too. */
export const changingLists = ({ op }: AcceptedRequest): readonly string[] =>
  Object.hasOwn(lines, op) ? lineFor(op).changing : [];
