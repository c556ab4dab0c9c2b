/** A collection and what can be said about its fields: those of some documents, as it has no columns. */
import type { Collection } from 'mongodb';
import { bounds } from '../bounds.ts';
import type { Order } from '../settings.ts';
import type { Column } from '../source.ts';
import { bad, SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import type { Session } from './session.ts';

const documentsSampled = 100;

const sampled = (collection: Collection, maxTimeMS: number) =>
  collection
    .aggregate<{ fields: { k: string; type: string }[] }>(
      [
        { $limit: documentsSampled },
        {
          $project: {
            _id: 0,
            fields: {
              $map: {
                input: { $slice: [{ $objectToArray: '$$ROOT' }, bounds.columns] },
                in: { k: '$$this.k', type: { $type: '$$this.v' } },
              },
            },
          },
        },
      ],
      { maxTimeMS },
    )
    .toArray();

export const columnsOf = async (collection: Collection, maxTimeMS: number): Promise<readonly Column[]> => {
  const types = new Map<string, Set<string>>();
  for (const { fields } of await sampled(collection, maxTimeMS))
    for (const { k, type } of fields) types.set(k, (types.get(k) ?? new Set()).add(type));
  return [...types]
    .slice(0, bounds.columns)
    .map(([name, found]) => ({ name, type: [...found].sort().join(' or ') }));
};

export const collectionIn = async ({ db }: Session, name: string): Promise<Collection> => {
  const found = await db.listCollections({ name }, { nameOnly: true, authorizedCollections: true }).toArray();
  if (found.length === 0)
    throw new SourceError('table_missing', `there is no collection ${name}, or the user may not see it`);
  return db.collection(name);
};

const assertTopLevel = ({ updatedAt = '', tie }: Order): void => {
  if (/[.$\0]/.test(updatedAt + tie))
    throw bad('the fields of UPDATED_AT and tie stand at the top of a document');
};

/** The names as the documents have them. Of an empty collection any name may be right. */
export const fieldsIn = (columns: readonly Column[], wanted: Order, table: string): Order => {
  assertTopLevel(wanted);
  if (columns.length === 0) return wanted;
  const tie = findColumn(columns, wanted.tie, table);
  if (wanted.updatedAt === undefined) return { updatedAt: undefined, tie: tie.name };
  const updatedAt = findColumn(columns, wanted.updatedAt, table);
  if (!updatedAt.type.split(' or ').includes('date'))
    throw new SourceError(
      'wrong_type',
      `field ${updatedAt.name} is of type ${updatedAt.type}, but the moment of a change must be a date`,
    );
  return { updatedAt: updatedAt.name, tie: tie.name };
};
