/** Puts the requests of jobs into their queues, as the ingress would, and holds them back while others wait. */
import { operationById, operationOf, peopleNamed } from '@roster/contract';
import { keysNamed } from '@roster/profile';
import { type Pressure, type Producer, requestId, takeStamps } from '@roster/queue';
import type { Secrets } from '@roster/secrets';
import type { SyncChunkDocument } from '@roster/store';
import { bodyOf } from './outcomes.ts';

/** While requests wait for longer than this, a sync adds none. */
const busyMs = 400;

/** A request that has no outcome after so long, while nothing waits, may have been lost with its queue. Each next time it takes twice as long. */
const lostMs = 30_000;

interface SenderOptions {
  producer: Pick<Producer, 'redis' | 'commitAs'>;
  pressure: Pick<Pressure, 'refusal' | 'gauge'>;
  /** Takes the price from the pool of the workspace; false when it has to wait. */
  pay(ws: string, price: number): Promise<boolean>;
  /** How much others have to do, from 0 to 1. */
  others(): number;
  secret: Secrets;
}

const peopleIn = (chunk: SyncChunkDocument) => {
  const operation = operationById(chunk.op ?? '');
  if (!operation?.notice) return {};
  const keys = keysNamed(chunk.ws, peopleNamed(operation.id, bodyOf(chunk)));
  return { people: { keys, deletes: operation.notice === 'deleted' } };
};

export const createSender = ({ producer, pressure, pay, others, secret }: SenderOptions) => {
  const idOf = (ws: string, at: number): string => requestId(secret, ws, at);
  /** An earlier version did not save it. */
  const requestOf = ({ ws, at, request = idOf(ws, at) }: SyncChunkDocument): string => request;
  const sent = new WeakMap<SyncChunkDocument, { at: number; times: number }>();

  const send = async (chunk: SyncChunkDocument, assertHeld: () => void): Promise<void> => {
    const { ws, op = '', body = Buffer.alloc(0), exact, entries, at, job } = chunk;
    const operation = operationOf(op);
    const people = peopleIn(chunk);
    assertHeld();
    await producer.commitAs(
      {
        ws,
        op: operation.id,
        family: operation.queue,
        content: { by: `sync:${job}`, ...(exact && { exact }) },
        body,
        entries,
        waitMs: 0,
        ...people,
      },
      { id: requestOf(chunk), at },
    );
    sent.set(chunk, { at: performance.now(), times: 1 + (sent.get(chunk)?.times ?? 0) });
  };

  const isLost = (chunk: SyncChunkDocument): boolean => {
    const { at, times } = sent.get(chunk) ?? { at: Number.NEGATIVE_INFINITY, times: 1 };
    return performance.now() - at > lostMs * 2 ** (times - 1);
  };

  const isBusy = (): boolean =>
    pressure.refusal() !== undefined || (pressure.gauge()?.oldestMs ?? 0) > busyMs;

  return {
    pay,
    stamp: (): Promise<number> => takeStamps(producer.redis, 1),
    idOf,
    requestOf,
    isBusy,
    others,
    send,
    /** Once more, under the same id. Gives the chunk that is waited for from now on. */
    async again(chunk: SyncChunkDocument, assertHeld: () => void): Promise<SyncChunkDocument> {
      await send(chunk, assertHeld);
      return chunk;
    },
    /** Those that must be lost. */
    async sendLost(open: readonly SyncChunkDocument[], assertHeld: () => void): Promise<void> {
      if (isBusy()) return;
      for (const chunk of open.filter(isLost)) await send(chunk, assertHeld);
    },
  };
};

export type Sender = ReturnType<typeof createSender>;
