/** What the caller of each request is told, if anybody waits for it. */
import { type AcceptedRequest, Rejection, rejectionBody } from '@roster/contract';
import type { Reply } from '@roster/queue';

const unwanted: Reply = { status: 200, body: '' };
const done: Reply = { status: 201, body: JSON.stringify({ message: 'success' }) };
const internal = new Rejection('INTERNAL');
const broken: Reply = { status: internal.status, body: JSON.stringify(rejectionBody(internal)) };

export const appliedReply = ({ reply }: AcceptedRequest): Reply => (reply ? done : unwanted);

export const failedReply = ({ reply }: AcceptedRequest): Reply => (reply ? broken : unwanted);
