/** Gives a reply to the caller that waits for it. */

import type { Waiting } from './expecting.ts';
import type { createPieces } from './pieces.ts';
import type { Head } from './put-reply.ts';

const newline = 10;

const unpack = (value: Buffer): { head: Head; bytes: Buffer } => {
  const end = value.indexOf(newline);
  return { head: JSON.parse(value.toString('utf8', 0, end)), bytes: value.subarray(end + 1) };
};

type Pieces = ReturnType<typeof createPieces>;

/** Gives a value of the list to all that wait for its request. */
export const createDeliver =
  (waiting: Waiting, pieces: Pieces) =>
  (value: Buffer): void => {
    const { head, bytes } = unpack(value);
    const { id, place, ...rest } = head;
    const takers = [...(waiting.get(id) ?? [])];
    const [first] = takers;
    if (!first) return;
    try {
      const reply = place
        ? pieces.add(id, rest, { place, bytes }, first.takeRoom)
        : { ...rest, body: bytes.toString() };
      if (reply) for (const { take } of takers) take(reply);
    } catch (error) {
      for (const { refuse } of takers) refuse(error);
    }
  };
