/** A reply that is too long for one value is sent in pieces, which may arrive in any order. */
/** A worker's result on its way back; the body is JSON text that is not parsed on the way. */
export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** The rest of a long body, in pieces, so that it need not be held or written at once. */
  rest?: readonly Buffer[];
  /** Releases the room of a long reply. */
  release?(): void;
  /** Called once, when the reply was sent or given up. */
  sent?(): void;
}

/** The place of a piece. Each attempt to send a reply has a number, so that pieces of two attempts are never mixed. */
export interface PiecePlace {
  sending: string;
  nth: number;
  of: number;
}

export interface Piece {
  place: PiecePlace;
  bytes: Buffer;
}

/** Takes room for so many bytes and returns a function that frees it. Throws when there is none. */
export type TakeRoom = (bytes: number) => () => void;

export const endlessRoom: TakeRoom = () => () => {};

interface BegunReply {
  id: string;
  pieces: Map<number, Buffer>;
  /** Frees the room of the pieces. */
  free: (() => void)[];
}

const freeAll = (free: (() => void)[]): void => {
  for (const one of free.splice(0)) one();
};

export const createPieces = () => {
  const begun = new Map<string, BegunReply>();

  const newlyBegun = (id: string, sending: string): BegunReply => {
    const one: BegunReply = { id, pieces: new Map(), free: [] };
    begun.set(sending, one);
    return one;
  };

  return {
    /** Returns the whole reply with its last piece. Its room stays taken until it is released. */
    add(id: string, head: Omit<Reply, 'body'>, piece: Piece, takeRoom: TakeRoom = endlessRoom) {
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
