/** A reply, and a piece of one. */

/** A reply too long for one value travels in pieces, which are joined again in any order of arrival. */
/** A worker's result on its way back; the body is JSON text that is not parsed on the way. */
export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** The rest of a long body, in pieces: it need not be held or written at once. */
  rest?: readonly Buffer[];
  /** Frees the room that a long reply takes here. */
  release?(): void;
  /** Called once when nothing of it is held here any more: it was sent, or given up. */
  sent?(): void;
}

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

/** Takes room for so many bytes and returns the function that frees it; throws when there is none. */
export type TakeRoom = (bytes: number) => () => void;

export const endlessRoom: TakeRoom = () => () => {};
