/** Spreads the data of one person over as many entries of /users/track as needed. */
import { stringifyExact } from '@roster/contract';
import type { Member, Piece, Value } from './pieces.ts';

/** Of JSON text: a fraction of the bound of a request. */
export const mostLength = 1024 * 1024;

interface Draft {
  members: Map<string, Value>;
  length: number;
}

const isFull = (draft: Draft, { kind }: Piece, length: number): boolean =>
  kind !== 'field' && draft.length > 0 && draft.length + length > mostLength;

const put = ({ members }: Draft, { name, value, kind }: Piece): void => {
  const before = members.get(name);
  if (kind !== name) members.set(name, value);
  else if (Array.isArray(before)) before.push(value);
  else members.set(name, [value]);
};

/** Fields stand in the first entry. Items and attributes begin there too, and continue in the next one when it is full. */
export const spread = (pieces: readonly Piece[]): Member[][] => {
  const drafts: Draft[] = [];
  const places = new Map<string, { at: number; count: number }>();
  const draftAt = (at: number): Draft => {
    drafts[at] ??= { members: new Map(), length: 0 };
    return drafts[at];
  };
  draftAt(0);
  for (const piece of pieces) {
    const length = stringifyExact(piece.value).length + piece.name.length;
    let { at, count } = places.get(piece.kind) ?? { at: 0, count: 0 };
    while (count >= piece.most || isFull(draftAt(at), piece, length)) [at, count] = [at + 1, 0];
    const draft = draftAt(at);
    put(draft, piece);
    draft.length += length;
    places.set(piece.kind, { at, count: count + 1 });
  }
  return drafts.map(({ members }) => [...members]);
};
