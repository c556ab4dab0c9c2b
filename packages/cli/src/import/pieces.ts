/** Pieces of a person: each fits into one entry. */
import { isListName } from '@roster/profile';
import type { JsonObject } from '../json.ts';

export type Value = JsonObject[string];
export type Member = [name: string, value: Value];

/** A member of an entry, or an item of the list of this name. */
export interface Piece {
  name: string;
  value: Value;
  kind: string;
  /** The most of a kind in one entry. */
  most: number;
}

/** An entry takes 1,000 members, some of them for its identifiers, and 500 items of a list. */
const mostAttributes = 900;
const mostItems = 500;

const isList = (name: string): boolean => isListName(name) || name === 'subscription_groups';

export const piecesOf = ([name, value]: Member): Piece[] =>
  isList(name) && Array.isArray(value)
    ? value.map((item) => ({ name, value: item, kind: name, most: mostItems }))
    : [{ name, value, kind: 'field', most: Number.POSITIVE_INFINITY }];

export const attributePiece = ([name, value]: Member): Piece => ({
  name,
  value,
  kind: 'attribute',
  most: mostAttributes,
});
