/** Collects entries of many callers into full requests, and tells each caller what became of theirs. */
import { BatchFullError, RosterError, TimeoutError } from '../errors.ts';
import { mostMs } from '../pause.ts';
import { isAway } from '../retry.ts';
import { rowOf } from '../row-of.ts';
import type { Send } from '../send.ts';
import { entryOf, failed, ranks } from './entry.ts';
import { type Limits, limitsOf } from './options.ts';
import { deliver, type SendBody } from './outcomes.ts';
import { createDrafts, type Draft, type Drafts } from './queue.ts';
import { createRoom } from './room.ts';
import { createSender } from './sender.ts';
import type { Batch, BatchOptions, EntryOutcome } from './types.ts';

/** Where there is a process, batches are flushed when it has nothing else to do. One listener for all of them. */
type Flush = () => Promise<void>;

interface Process {
  on?(event: 'beforeExit', listener: () => void): unknown;
}

const open = new Set<Flush>();
let isListening = false;

const whenExiting = (flush: Flush): void => {
  open.add(flush);
  if (isListening) return;
  isListening = true;
  const { process } = globalThis as { process?: Process };
  process?.on?.('beforeExit', () => {
    for (const one of open) void one();
  });
};

const createSendBody = (
  { url, send, signal }: { url: string; send: Send; signal: AbortSignal },
  { operation }: Limits,
  { wait, retryFor }: BatchOptions,
): SendBody => {
  const row = rowOf(operation);
  const options = {
    signal,
    ...(wait !== undefined && { wait }),
    ...(retryFor !== undefined && { retryFor }),
  };
  // One rate limit is one pause for all of them.
  return (body) => send({ row, url: url + row.path, body, options, isPatient: true });
};

/** The service is away: entries that wait have had the same time for retries, and fail too. */
const orLose =
  (drafts: Drafts, draft: Draft, send: SendBody): SendBody =>
  async (body) => {
    if (draft.lost !== undefined) throw draft.lost;
    try {
      return await send(body);
    } catch (error) {
      if (isAway(error)) {
        draft.lost = error;
        drafts.lose(error);
      }
      throw error;
    }
  };

const usualSeconds = 30;

/** Ends what is still to be sent when it takes longer than these seconds. */
const within = async (seconds: number, work: Promise<void>, stop: AbortController) => {
  const late = new TimeoutError('the batch was closed before an answer', {
    remedy: 'Whether it was kept is not known.',
  });
  const timer = setTimeout(() => stop.abort(late), Math.min(seconds * 1000, mostMs));
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
};

export const createBatch = (url: string, send: Send, options: BatchOptions = {}): Batch => {
  const limits = limitsOf(options);
  const stop = new AbortController();
  const sendBody = createSendBody({ url, send, signal: stop.signal }, limits, options);
  const room = createRoom(limits);
  const drafts = createDrafts(limits);
  const sender = createSender(drafts, async (draft) => {
    const { entries } = draft;
    await deliver(entries, orLose(drafts, draft, sendBody));
    room.give(entries);
    if (room.waiting.entries === 0) open.delete(flush);
  });
  const { flush } = sender;
  let isClosed = false;

  const add = (rank: number, entry: unknown): Promise<EntryOutcome> => {
    if (isClosed) throw new RosterError('the batch is closed');
    return new Promise((settle) => {
      const made = entryOf(rank, entry, settle);
      if (!made) return;
      if (!room.take(made.bytes)) return settle(failed(new BatchFullError()));
      if (room.waiting.entries === 1) whenExiting(flush);
      drafts.add(made);
      sender.look();
    });
  };

  const close: Batch['close'] = ({ timeout = usualSeconds } = {}) => {
    isClosed = true;
    return within(timeout, flush(), stop);
  };

  return {
    attributes: (entry) => add(ranks.attributes, entry),
    event: (entry) => add(ranks.events, entry),
    purchase: (entry) => add(ranks.purchases, entry),
    room: room.wait,
    flush,
    close,
    waiting: room.waiting,
    [Symbol.asyncDispose]: () => close(),
  };
};
