/** What is asked of MongoDB. */
import type { Document } from 'mongodb';
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import { tieValue } from './cells.ts';

export interface Fields {
  readonly updatedAt: string;
  readonly tie: string;
}

const mostBinaryBytes = 64;

/** Values that have an order, and fit into a cursor. */
const canBeTie = (tie: string): Document => {
  const type = { $type: `$${tie}` };
  const isShort = { $lte: [{ $binarySize: `$${tie}` }, mostBinaryBytes] };
  return {
    $and: [
      { $not: [{ $in: [type, ['array', 'object']] }] },
      { $cond: [{ $eq: [type, 'binData'] }, isShort, true] },
    ],
  };
};

/** Within a moment, all types have one order in an expression, as they have in a sort. */
const isAfter = ({ updatedAt, tie }: Fields, place: Place): Document => {
  const moment = new Date(place.moment);
  if (place.tie === undefined) return { [updatedAt]: { $gte: moment } };
  const later = {
    [place.isOpen ? '$gte' : '$gt']: [{ $ifNull: [`$${tie}`, null] }, { $literal: tieValue(place.tie) }],
  };
  return {
    [updatedAt]: { $gte: moment },
    $or: [{ [updatedAt]: { $gt: moment } }, { $expr: later }],
  };
};

/** Rows of the future wait: one that is read too early would hide all changes until its time has come. */
export const matching = (fields: Fields, since: Place | undefined): Document => ({
  $and: [
    { [fields.updatedAt]: { $gte: new Date('0001-01-01T00:00:00Z'), $lte: new Date() } },
    ...(since ? [isAfter(fields, since)] : []),
    { $expr: { $and: [{ $eq: [{ $type: `$${fields.updatedAt}` }, 'date'] }, canBeTie(fields.tie)] } },
  ],
});

const shortTie = (tie: string): Document => ({
  $cond: [
    { $eq: [{ $type: `$${tie}` }, 'string'] },
    { $substrCP: [`$${tie}`, 0, tieCharactersRead] },
    `$${tie}`,
  ],
});

/** A document that is too large stays in the server. */
const found = ({ updatedAt, tie }: Fields): Document => {
  const bytes = { $bsonSize: '$$ROOT' };
  return {
    $project: {
      _id: 0,
      moment: `$${updatedAt}`,
      tie: shortTie(tie),
      bytes,
      document: { $cond: [{ $lte: [bytes, bounds.rowBytes] }, '$$ROOT', '$$REMOVE'] },
    },
  };
};

export const readRows = (fields: Fields, since: Place | undefined): Document[] => [
  { $match: matching(fields, since) },
  { $sort: { [fields.updatedAt]: 1, [fields.tie]: 1 } },
  found(fields),
];

/** Any rows: to sort a large collection for a few of them costs too much. */
export const sampleRows = (fields: Fields): Document[] => [
  { $match: matching(fields, undefined) },
  { $limit: bounds.sampleRows },
  found(fields),
];
