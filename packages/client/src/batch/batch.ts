/** Collects entries of many callers into full requests, and tells each caller what became of theirs. */
import { BatchFullError, RosterError } from '../errors.ts';
import type { Send } from '../send.ts';
import { table } from '../table.ts';
import { deliver, type SendBody } from './deliver.ts';
import { bytesOf, failed, personIn, ranks } from './entry.ts';
import { leaveExit, whenExiting } from './exit.ts';
import { type Limits, limitsOf } from './options.ts';
import { createDrafts } from './queue.ts';
import { createRoom } from './room.ts';
import { createSender } from './sender.ts';
import type { Batch, BatchOptions, EntryOutcome } from './types.ts';

const createSendBody = (url: string, send: Send, { operation }: Limits, options: BatchOptions): SendBody => {
  const row = table.find(({ id }) => id === operation);
  if (!row) throw new TypeError(`${operation} is no operation`);
  const { wait, retryFor } = options;
  const asked = { ...(wait !== undefined && { wait }), ...(retryFor !== undefined && { retryFor }) };
  return (body) => send({ row, url: url + row.path, body, options: asked });
};

export const createBatch = (url: string, send: Send, options: BatchOptions = {}): Batch => {
  const limits = limitsOf(options);
  const sendBody = createSendBody(url, send, limits, options);
  const room = createRoom(limits);
  const drafts = createDrafts(limits);
  const sender = createSender(drafts, async (entries) => {
    await deliver(entries, sendBody);
    room.give(entries);
  });
  let isClosed = false;

  const add = (rank: number, entry: object): Promise<EntryOutcome> => {
    if (isClosed) return Promise.resolve(failed(new RosterError('the batch is closed')));
    const text = JSON.stringify(entry);
    const bytes = bytesOf(text);
    if (!room.take(bytes)) return Promise.resolve(failed(new BatchFullError()));
    return new Promise((settle) => {
      drafts.add({ rank, text, bytes, person: personIn(entry), settle });
      sender.look();
    });
  };

  const { flush } = sender;
  whenExiting(flush);
  return {
    attributes: (entry) => add(ranks.attributes, entry),
    event: (entry) => add(ranks.events, entry),
    purchase: (entry) => add(ranks.purchases, entry),
    room: room.wait,
    flush,
    async close() {
      isClosed = true;
      await flush();
      leaveExit(flush);
    },
    waiting: room.waiting,
  };
};
