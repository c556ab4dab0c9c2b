import type { AcceptedRequest } from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Secrets } from '@roster/secrets';
import type { Store } from '@roster/store';

export interface ExportTools {
  store: Store;
  /** With which ids of requests are made. */
  secret: Secrets;
  /** Bytes of profiles that were loaded for a workspace: it pays for them afterwards. */
  loaded(ws: string, bytes: number): void;
}

/** `undefined`: MongoDB knows nothing about it. */
export type ExportHandler = (request: AcceptedRequest, tools: ExportTools) => Promise<Reply | undefined>;
