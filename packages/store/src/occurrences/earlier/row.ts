/** Rows of the layout before generations: one collection for each kind, a text as the id, an index by person. */
import type { Db } from '../../db.ts';
import type { Kind, Sent } from '../../documents.ts';
import type { KeyParts } from '../key.ts';
import { generationName } from '../name.ts';

export interface EarlierRow {
  /** Request id, colon, place in the request. */
  _id: string;
  profile: string;
  time: Date;
  at: number;
  properties?: string;
}

/** In the order of this index the rows are migrated. */
export const earlierIndex = {
  events: { name: 'by_profile', key: { profile: 1, time: 1, name: 1 } },
  purchases: {
    name: 'by_profile_with_revenue',
    key: { profile: 1, time: 1, product_id: 1, revenue: 1, quantity: 1 },
  },
} as const;

/** The generation that takes them. It comes before all others. */
export const earlierGeneration = (of: Kind): string => generationName(of, 0);

export const earlierRows = (db: Db, of: Kind) => db.collection<EarlierRow>(of);

export const sentOf = <Row extends KeyParts>({ _id, ...rest }: EarlierRow): Sent<Row> => {
  const colon = _id.lastIndexOf(':');
  const parts = { request: _id.slice(0, colon), index: Number(_id.slice(colon + 1)) };
  return { ...rest, ...parts } as unknown as Sent<Row>;
};
