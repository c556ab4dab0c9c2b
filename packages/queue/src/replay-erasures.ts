/** Queues deletions again after a restore, with their old stamps: in the order of record they come where they came before. */
import type { Redis } from 'ioredis';
import { createEnqueue } from './enqueue.ts';
import type { Erasure } from './erasures.ts';
import { queuesOf } from './names.ts';
import { stampInId } from './request-id.ts';

/** As many as a caller may name in one request. */
const peopleOfRequest = 50;

interface Piece {
  id: string;
  ws: string;
  ids: string[];
}

/** The first piece has the id of the request: where that has a mark, the backup has the deletion. It is queued last, so its mark means all pieces. */
const piecesOf = ({ id, ws, profiles }: Erasure): Piece[] => {
  const sorted = [...profiles].sort();
  return Array.from({ length: Math.ceil(sorted.length / peopleOfRequest) }, (_, part) => ({
    id: part === 0 ? id : `${id}.${part}`,
    ws,
    ids: sorted.slice(part * peopleOfRequest, (part + 1) * peopleOfRequest),
  })).reverse();
};

/** Written together. */
const erasuresAtOnce = 200;

/** Returns the ids of the queued requests. */
export const replayErasures = async (redis: Redis, erasures: readonly Erasure[]): Promise<string[]> => {
  const lane = createEnqueue({ redis, queues: queuesOf('identity', 1), waitReplicas: 0 });
  const queue = async ({ id, ws, ids }: Piece): Promise<void> => {
    const body = { service_ids: ids.map((service_id) => ({ service_id })) };
    const request = { id, ws, op: 'users.delete' as const, at: stampInId(id) };
    await lane.enqueue({ request, body: Buffer.from(JSON.stringify(body)), entries: ids.length });
  };
  const all = erasures.map(piecesOf);
  try {
    for (let from = 0; from < all.length; from += erasuresAtOnce) {
      const some = all.slice(from, from + erasuresAtOnce);
      await Promise.all(
        some.map(async (pieces) => {
          for (const piece of pieces) await queue(piece);
        }),
      );
    }
  } finally {
    await lane.close();
  }
  return all.flat().map(({ id }) => id);
};
