/** The work of one service: its own parts, and the results that it returns for requests. The rest is the same for all services. */
import type { AcceptedRequest, EntryResult, OutcomeNote } from '@roster/contract';
import type { Session } from '@roster/store';
import type { PlanningRule } from './rounds.ts';

/** One list of results for each list of the request. */
export type Entries = Record<string, EntryResult[]>;

/** The outcome of one applied request. */
export interface Applied {
  state: 'applied';
  entries: Entries;
  /** Data that was ignored or left behind. */
  notes?: OutcomeNote[];
}

/** The result of a rule for one request. */
export interface RequestResult {
  origin: Pick<AcceptedRequest, 'id' | 'ws' | 'at'>;
  entries: Entries;
  notes?: OutcomeNote[];
}

/** The parts that a service brings: it reads bodies, and it has a load, a rule and a write. */
export interface Work<Request, Known, Needs, Ready extends { ready: true }>
  extends PlanningRule<Request, Known, Needs, Ready> {
  /** Turns an accepted request into the input of the rule. */
  read(request: AcceptedRequest): Request;
  /** Profiles come first: if another transaction is in the way, it shows before anything else is done. */
  write(session: Session, ready: Ready): Promise<void>;
  /** Rows come after the marks: those of a request that was applied before are not sent a second time. */
  writeRows?(session: Session, ready: Ready): Promise<void>;
  /** One for each request, in their order. */
  resultsOf(ready: Ready): readonly RequestResult[];
  /** How many days a workspace keeps outcomes. */
  daysOf(ws: string): number | undefined;
  /** The transaction is committed. */
  committed?(ready: Ready): void;
}
