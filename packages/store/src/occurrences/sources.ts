/** The queries over all generations, and over rows that wait for their migration. */
import type { Db } from '../db.ts';
import type { GenerationDocument, Kind } from '../documents.ts';
import { createEarlierQueries } from './earlier/queries.ts';
import type { KeyParts } from './key.ts';
import { createQueries, type Queries } from './queries.ts';
import type { Reading } from './reading.ts';

export type ReadGenerations = (reading?: Reading) => Promise<GenerationDocument[]>;

/** A generation says its oldest day before the first row of it is there. */
export const isWritten = ({ oldest }: GenerationDocument): boolean => oldest !== undefined;

export const isMigrating = ({ migrating }: GenerationDocument): boolean => migrating === true;

export const createSources = <Row extends KeyParts>(db: Db, of: Kind, all: ReadGenerations): Queries<Row> => {
  /** The list is read in the session of the query: it belongs to the same moment as the rows. */
  const sources = async (profiles: readonly string[], reading: Reading): Promise<Queries<Row>[]> => {
    if (profiles.length === 0) return [];
    const generations = await all(reading);
    return [
      ...(generations.some(isMigrating) ? [createEarlierQueries<Row>(db, of)] : []),
      createQueries<Row>(db, of, generations.filter(isWritten)),
    ];
  };

  return {
    async *summaries(query, reading = {}) {
      for (const source of await sources(query.profiles, reading)) yield* source.summaries(query, reading);
    },

    async *revenues(profiles, reading = {}) {
      for (const source of await sources(profiles, reading)) yield* source.revenues(profiles, reading);
    },

    async lastOfEach(profiles, reading = {}, until) {
      const last = new Map<string, Date>();
      for (const source of await sources(profiles, reading))
        for (const [id, time] of await source.lastOfEach(profiles, reading, until))
          if (time >= (last.get(id) ?? time)) last.set(id, time);
      return last;
    },

    async *latest(profiles, since, most) {
      for (const source of await sources(profiles, {})) yield* source.latest(profiles, since, most);
    },

    async *of(profiles, reading = {}, newest = 0) {
      for (const source of await sources(profiles, reading)) yield* source.of(profiles, reading, newest);
    },

    async count(profiles, reading = {}) {
      let sum = 0;
      for (const source of await sources(profiles, reading)) sum += await source.count(profiles, reading);
      return sum;
    },
  };
};
