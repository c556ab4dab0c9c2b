/** A reply too long for one value travels in pieces, which are put together again in whatever order they arrive. */
import type { Reply } from './reply.ts';

/** Where a piece belongs: each try to send a reply has a number of its own, so that two of them are never mixed. */
export interface Place {
  sending: string;
  nth: number;
  of: number;
}

export interface Piece {
  place: Place;
  bytes: Buffer;
}

interface Begun {
  id: string;
  pieces: Map<number, Buffer>;
}

export const createPieces = () => {
  const begun = new Map<string, Begun>();

  return {
    /** The whole reply as soon as its last piece is there. */
    add(id: string, head: Omit<Reply, 'body'>, { place, bytes }: Piece): Reply | undefined {
      const { pieces } = begun.get(place.sending) ?? { pieces: new Map<number, Buffer>() };
      begun.set(place.sending, { id, pieces: pieces.set(place.nth, bytes) });
      if (pieces.size < place.of) return undefined;
      begun.delete(place.sending);
      const inOrder = [...pieces].toSorted(([a], [b]) => a - b);
      return { ...head, body: '', rest: inOrder.map(([, piece]) => piece) };
    },
    /** Nobody waits for it any more. */
    forget(id: string): void {
      for (const [sending, one] of begun) if (one.id === id) begun.delete(sending);
    },
  };
};
