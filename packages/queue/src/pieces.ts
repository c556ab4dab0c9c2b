import { endlessRoom, type Piece, type Reply, type TakeRoom } from './reply-piece.ts';

interface Begun {
  id: string;
  pieces: Map<number, Buffer>;
  /** Frees the room of the pieces. */
  free: (() => void)[];
}

const freeAll = (free: (() => void)[]): void => {
  for (const one of free.splice(0)) one();
};

export const createPieces = () => {
  const begun = new Map<string, Begun>();

  const newlyBegun = (id: string, sending: string): Begun => {
    const one: Begun = { id, pieces: new Map(), free: [] };
    begun.set(sending, one);
    return one;
  };

  return {
    /** The whole reply as soon as its last piece is there. It keeps the room of its pieces until it is released. */
    add(
      id: string,
      head: Omit<Reply, 'body'>,
      piece: Piece,
      takeRoom: TakeRoom = endlessRoom,
    ): Reply | undefined {
      const { place, bytes } = piece;
      const { pieces, free } = begun.get(place.sending) ?? newlyBegun(id, place.sending);
      if (!pieces.has(place.nth)) free.push(takeRoom(bytes.length));
      pieces.set(place.nth, bytes);
      if (pieces.size < place.of) return undefined;
      begun.delete(place.sending);
      const inOrder = [...pieces].toSorted(([a], [b]) => a - b);
      return { ...head, body: '', rest: inOrder.map(([, bytesOf]) => bytesOf), release: () => freeAll(free) };
    },
    /** Drops the pieces of a reply that no caller waits for any more. */
    forget(id: string): void {
      for (const [sending, one] of begun) {
        if (one.id !== id) continue;
        begun.delete(sending);
        freeAll(one.free);
      }
    },
  };
};
