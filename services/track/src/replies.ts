/** What the caller of each request is told, if anybody waits for it. */
import {
  type AcceptedRequest,
  type Outcome,
  outcomeReport,
  Rejection,
  rejectionBody,
  stringifyExact,
} from '@roster/contract';
import type { Reply } from '@roster/queue';
import type { Sync } from './sync.ts';

export interface Replies {
  applied(request: AcceptedRequest, outcome: Outcome): Promise<Reply> | Reply;
  failed(request: AcceptedRequest, outcome: Outcome): Reply;
}

const unwanted: Reply = { status: 200, body: '' };

const report = ({ id }: AcceptedRequest, outcome: Outcome): Reply => ({
  status: 200,
  body: JSON.stringify({ request_id: id, ...outcomeReport(outcome) }),
});

const internal = new Rejection('INTERNAL');
const broken: Reply = { status: internal.status, body: JSON.stringify(rejectionBody(internal)) };

const isSync = ({ op }: AcceptedRequest): boolean => op === 'users.track.sync';

/** Written out only for those who wait for it. */
export const createReplies = (sync: Sync): Replies => ({
  applied(request, outcome) {
    if (!request.reply) return unwanted;
    return isSync(request) ? synced(sync, request, outcome) : report(request, outcome);
  },

  failed(request, outcome) {
    if (!request.reply) return unwanted;
    return isSync(request) ? broken : report(request, outcome);
  },
});

const synced = async (sync: Sync, request: AcceptedRequest, outcome: Outcome): Promise<Reply> => ({
  status: 201,
  body: stringifyExact(await sync(request, outcome)),
});
