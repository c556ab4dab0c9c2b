/** What is asked of MongoDB. */
import type { Document } from 'mongodb';
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import type { Order } from '../settings.ts';
import { tieValue } from './cells.ts';

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
const isAfter = ({ updatedAt, tie }: Order, place: Place): Document => {
  const { tie: value } = place;
  if (value === undefined)
    return updatedAt === undefined ? {} : { [updatedAt]: { $gte: new Date(place.moment) } };
  const later = {
    [place.isOpen ? '$gte' : '$gt']: [{ $ifNull: [`$${tie}`, null] }, { $literal: tieValue(value) }],
  };
  if (updatedAt === undefined) return { $expr: later };
  const moment = new Date(place.moment);
  return {
    [updatedAt]: { $gte: moment },
    $or: [{ [updatedAt]: { $gt: moment } }, { $expr: later }],
  };
};

/** Rows of the future wait: one that is read too early would hide all changes until its time has come. */
const timely = ({ updatedAt }: Order): Document[] =>
  updatedAt === undefined
    ? []
    : [
        { [updatedAt]: { $gte: new Date('0001-01-01T00:00:00Z'), $lte: new Date() } },
        { $expr: { $eq: [{ $type: `$${updatedAt}` }, 'date'] } },
      ];

export const matching = (fields: Order, since: Place | undefined): Document => ({
  $and: [...timely(fields), ...(since ? [isAfter(fields, since)] : []), { $expr: canBeTie(fields.tie) }],
});

const shortTie = (tie: string): Document => ({
  $cond: [
    { $eq: [{ $type: `$${tie}` }, 'string'] },
    { $substrCP: [`$${tie}`, 0, tieCharactersRead] },
    `$${tie}`,
  ],
});

/** A document that is too large stays in the server. */
const found = ({ updatedAt, tie }: Order): Document => {
  const bytes = { $bsonSize: '$$ROOT' };
  return {
    $project: {
      _id: 0,
      ...(updatedAt !== undefined && { moment: `$${updatedAt}` }),
      tie: shortTie(tie),
      bytes,
      document: { $cond: [{ $lte: [bytes, bounds.rowBytes] }, '$$ROOT', '$$REMOVE'] },
    },
  };
};

export const readRows = (fields: Order, since: Place | undefined): Document[] => [
  { $match: matching(fields, since) },
  { $sort: { ...(fields.updatedAt !== undefined && { [fields.updatedAt]: 1 }), [fields.tie]: 1 } },
  found(fields),
];

/** Any rows: to sort a large collection for a few of them costs too much. */
export const sampleRows = (fields: Order): Document[] => [
  { $match: matching(fields, undefined) },
  { $limit: bounds.sampleRows },
  found(fields),
];

export const repeatedTie = ({ tie }: Order): Document[] => [
  { $match: { [tie]: { $ne: null } } },
  { $limit: bounds.keyRows },
  { $group: { _id: `$${tie}`, rows: { $sum: 1 } } },
  { $match: { rows: { $gt: 1 } } },
  { $limit: 1 },
];
