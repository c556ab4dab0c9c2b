/** From a request in the queue to the reply that its caller gets. */

import { orRefused, refusedWith, type Slots, withFreshness } from '@roster/batch';
import {
  type AcceptedRequest,
  lineOf,
  Rejection,
  type RequestReport,
  rejectionWithRetry,
} from '@roster/contract';
import { type Fence, type Reply, stampOfRequestId, stampToDate } from '@roster/queue';
import type { ExportHandler, ExportTools } from './handler.ts';
import { handlers, type Way } from './handlers.ts';

export interface ExportReader extends ExportTools {
  fence: Fence;
  /** Of every queue whose requests have an outcome. */
  outcomeFence: Fence;
  /** Exports under way at the same time: each may take much of MongoDB, and of this process's memory. */
  slots: Slots;
}

/** How long a read waits for the writes accepted before it. */
const freshWithinMs = 1000;

/** No caller waits for an answer that long. */
const staleMs = 60_000;

const replyOf = (status: number, body: object): Reply => ({ status, body: JSON.stringify(body) });

export const gone = replyOf(503, { message: 'The caller does not wait for this answer any more' });

const unknown = (request: AcceptedRequest): Reply => refusedWith(new Rejection('REQUEST_NOT_FOUND'), request);

const ranOutOfTime = 50;

/** A read that took too long is not retried here: the caller may ask again, or for less. */
const orTooLong = (error: unknown): never => {
  throw (error as { code?: unknown }).code === ranOutOfTime ? rejectionWithRetry('UNAVAILABLE', 5) : error;
};

/** A long answer holds memory until it is sent, and its slot as long. */
const inSlot =
  (handler: ExportHandler, slots: Slots): ExportHandler =>
  async (request, tools) => {
    const leave = await slots(request.ws);
    try {
      const reply = await handler(request, tools);
      if (reply?.rest && request.reply !== undefined) return { ...reply, sent: leave };
      leave();
      return reply;
    } catch (error) {
      leave();
      throw error;
    }
  };

type Reading = (handler: ExportHandler, request: AcceptedRequest, reader: ExportReader) => Promise<Reply>;

/** Everything of its workspace that was accepted before this read is in the profiles, or the answer says that it may not be. */
const readFresh: Reading = async (handler, request, reader) => {
  const isFresh = await reader.fence.wait(request.at, freshWithinMs, request.ws);
  const reply = await handler(request, reader).catch(orTooLong).catch(orRefused(request));
  if (!reply) return unknown(request);
  return withFreshness(reply, isFresh);
};

const queuedReport = (id: string, stamp: number): RequestReport => ({
  message: 'success',
  request_id: id,
  state: 'queued',
  accepted_at: stampToDate(stamp).toISOString(),
});

/** An outcome needs no fence: either it is there, or its request is still queued, or there never was one. */
const readOutcome: Reading = async (handler, request, reader) => {
  const id = request.params?.id ?? '';
  const stamp = stampOfRequestId(reader.secret, request.ws, id);
  if (stamp === undefined) return unknown(request);
  const isQueued = !(await reader.outcomeFence.isPast(stamp, request.ws));
  // Asked after the queue: what has left the queue by then is in MongoDB.
  const answer = await handler(request, reader);
  if (answer) return answer;
  return isQueued ? replyOf(200, queuedReport(id, stamp)) : unknown(request);
};

const ways: Record<Way, Reading> = {
  fresh: readFresh,
  large: (handler, request, reader) => readFresh(inSlot(handler, reader.slots), request, reader),
  outcome: readOutcome,
};

export const createAnswer =
  (reader: ExportReader, now = Date.now) =>
  async (request: AcceptedRequest): Promise<Reply> => {
    if (now() - request.at / 1000 > staleMs) return gone;
    const { way, answer } = lineOf(handlers, request.op);
    return ways[way](answer, request, reader);
  };
