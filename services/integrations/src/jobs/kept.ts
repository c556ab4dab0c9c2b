/** What is kept of the rows of a table in diff mode: 8 bytes of what each row says, in runs in the order of the keys. */
import type { Json } from '@roster/contract';
import type { IntegrationDocument, Session, Store, SyncKeptDocument } from '@roster/store';
import { hashBytes, type Seen } from './memory.ts';

export interface KeptRow {
  key: string;
  hash: Buffer;
  /** How its columns were mapped: as those of the document, unless said. */
  layout?: string | undefined;
  /** The identifier of its person, where rows that are gone are removed. */
  person?: Json;
  /** The day since which it is no longer in the table. */
  went?: number | undefined;
}

/** What a job writes of it, in the transaction that moves its cursor. */
export interface KeptChange {
  remove: readonly string[];
  put: readonly SyncKeptDocument[];
  /** Rows that are gone: none of them is tried again. */
  gone: readonly Pick<Seen, 'key'>[];
}

/** Rows of a document. */
const most = 500;

/** Of a row that is not known, whatever it says. The version before wrote it for one that is gone. */
export const nothing = Buffer.alloc(hashBytes);

/** Of a row that is known, whatever it says. The first release wrote it for one whose columns were mapped in another way. */
export const anything = Buffer.alloc(hashBytes, 255);

export const isGone = ({ went }: KeptRow): boolean => went !== undefined;

/** Days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / 86_400_000);

const dayBytes = 2;

const daysOf = (rows: readonly KeptRow[]): Buffer => {
  const days = Buffer.alloc(rows.length * dayBytes);
  for (const [at, { went = 0 }] of rows.entries()) days.writeUInt16BE(went, at * dayBytes);
  return days;
};

/** For each further way of mapping columns, the places of its rows: those that are gone keep the one that they were read with. */
const othersIn = (layouts: readonly (string | undefined)[]): [string, number[]][] => {
  const others = new Map<string, number[]>();
  for (const [at, layout] of layouts.entries()) {
    if (layout === undefined || layout === layouts[0]) continue;
    const places = others.get(layout);
    if (places) places.push(at);
    else others.set(layout, [at]);
  }
  return [...others];
};

type Owner = Pick<IntegrationDocument, '_id' | 'ws'>;

export const keptId = ({ _id }: Pick<Owner, '_id'>, key: string): string => `${_id}/${key}`;

export const keptDocument = (
  { _id: integration, ws }: Owner,
  id: string,
  rows: readonly KeptRow[],
  layout?: string,
) => {
  const hasPeople = rows.some(({ person }) => person !== undefined);
  const layouts = rows.map(({ layout: own = layout }) => own);
  const [usual] = layouts;
  const others = othersIn(layouts);
  return {
    _id: id,
    ws,
    integration,
    rows: rows.length,
    gone: rows.filter(isGone).length,
    keys: JSON.stringify(rows.map(({ key }) => key)),
    hashes: Buffer.concat(rows.map(({ hash }) => hash)),
    ...(rows.some(isGone) && { went: daysOf(rows) }),
    ...(usual !== undefined && { layout: usual }),
    ...(others.length > 0 && { others: JSON.stringify(others) }),
    ...(hasPeople && { people: JSON.stringify(rows.map(({ person = null }) => person)) }),
  };
};

/** In documents of about the same size. */
export const keptDocuments = (
  owner: Owner,
  rows: readonly KeptRow[],
  layout?: string,
): SyncKeptDocument[] => {
  const parts = Math.ceil(rows.length / most);
  return Array.from({ length: parts }, (_, part) => {
    const at = (n: number): number => Math.floor((n * rows.length) / parts);
    const slice = rows.slice(at(part), at(part + 1));
    return keptDocument(owner, keptId(owner, slice.at(-1)?.key ?? ''), slice, layout);
  });
};

/** Of rows that the version before has marked. */
const longAgo = 1;

export const rowsIn = ({ keys, hashes, people, layout, others, went: days }: SyncKeptDocument): KeptRow[] => {
  const persons: Json[] = JSON.parse(people ?? '[]');
  const own = new Map<number, string>();
  for (const [name, places] of JSON.parse(others ?? '[]') as [string, number[]][])
    for (const at of places) own.set(at, name);
  return (JSON.parse(keys) as string[]).map((key, at) => {
    const hash = hashes.subarray(at * hashBytes, (at + 1) * hashBytes);
    const person = persons[at] ?? null;
    const went = days?.readUInt16BE(at * dayBytes) || (hash.equals(nothing) ? longAgo : undefined);
    return {
      ...{ key, hash, layout: own.get(at) ?? layout },
      ...(person !== null && { person }),
      ...(went !== undefined && { went }),
    };
  });
};

export interface KeptCounts {
  rows: number;
  gone: number;
}

export const countKept = async (
  { syncs }: Pick<Store, 'syncs'>,
  { _id: integration }: Pick<Owner, '_id'>,
): Promise<KeptCounts> => {
  const [found] = await syncs.kept
    .aggregate<KeptCounts>([
      { $match: { integration } },
      { $group: { _id: null, rows: { $sum: '$rows' }, gone: { $sum: '$gone' } } },
    ])
    .toArray();
  return { rows: found?.rows ?? 0, gone: found?.gone ?? 0 };
};

export const writeKept = async (
  { syncs }: Pick<Store, 'syncs'>,
  { remove, put }: KeptChange,
  session: Session,
): Promise<void> => {
  const writes = [
    ...(remove.length > 0 ? [{ deleteMany: { filter: { _id: { $in: [...remove] } } } }] : []),
    ...put.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    })),
  ];
  if (writes.length > 0) await syncs.kept.bulkWrite(writes, { session });
};
