/** The queues of both lanes, over one connection. */
import type { Redis } from 'ioredis';
import { type KeptOpen, keptOpen } from './group-queue.ts';
import type { QueueName } from './names.ts';
import type { SpareBytes } from './spare-bytes.ts';

/** Gives the queues of a lane in turn. */
const inTurn = (queues: KeptOpen[]): KeptOpen => {
  let turn = 0;
  return () => (queues[turn++ % queues.length] as KeptOpen)();
};

/** The queues of both lanes, as they are reached over one connection, and the bytes of their groups. */
export const openRoad = (redis: Redis, queues: readonly QueueName[], spare: SpareBytes) => {
  const all = queues.map((name) => ({ name, open: keptOpen(name, redis) }));
  const laneOf = (heavy: boolean): KeptOpen =>
    inTurn(all.filter(({ name }) => (name.heavy ?? false) === heavy).map(({ open }) => open));
  return {
    redis,
    spare,
    normal: laneOf(false),
    heavy: laneOf(true),
    close: () => Promise.all(all.map(({ open }) => open().close())),
  };
};

export type Road = ReturnType<typeof openRoad>;
