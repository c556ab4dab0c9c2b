/** The two kinds of handlers. Each returns the body of the answer, whose status stands in the row, or throws a rejection. */
import type { AcceptedRequest } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Session, Store } from '@roster/store';
import type { PageUrls } from './links/page-urls.ts';
import type { SettingsOfSender } from './sending/settings.ts';

export interface Tools {
  store: Store;
  liquid: Templates;
  /** Of the pages of preference centers. */
  urls: PageUrls;
  settingsOf: SettingsOfSender;
  /** Waits up to a second until what was accepted before this stamp is applied. */
  fresh(at: number, ws: string): Promise<unknown>;
}

/** Of a change that was accepted and comes to nothing: the outcome says why. */
export class Nothing {
  constructor(
    readonly reason: string,
    readonly body: object,
  ) {}
}

/** What a change writes, in the transaction that also keeps its answer. Runs again after a conflict, so it reads what it decides by. */
export type Write = (session: Session) => Promise<object | Nothing>;

/** Does what needs no transaction, such as looking at templates, and returns the rest. */
export type Change = (request: AcceptedRequest, tools: Tools) => Promise<Write>;

export type Read = (request: AcceptedRequest, tools: Tools) => Promise<object>;

export type Handler = { readonly change: Change } | { readonly read: Read };
