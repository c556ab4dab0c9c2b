/** What the handlers of this service work with. */
import type { Handler as AnyHandler, Write } from '@roster/batch';
import type { Channels } from '@roster/channels';
import type { AcceptedRequest } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Store } from '@roster/store';
import type { PageUrls } from './links/page-urls.ts';
import type { SettingsOfSender } from './sending/settings.ts';

export interface Tools {
  store: Store;
  /** What the templates of a workspace cost is charged to it, beyond the price of the request. */
  liquidOf(ws: string): Templates;
  /** Of the pages of preference centers. */
  urls: PageUrls;
  settingsOf: SettingsOfSender;
  /** Why an email can be sent to nobody. Finding it is charged likewise. */
  emailFault: Channels['emailFault'];
}

export type ContentChange = (request: AcceptedRequest, tools: Tools) => Promise<Write>;

export type Read = (request: AcceptedRequest, tools: Tools) => Promise<object>;

export type Handler = AnyHandler<Tools>;
