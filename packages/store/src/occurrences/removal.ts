/** Removes all occurrences of people, in small steps. It can end anywhere and be repeated. */
import type { Db } from '../db.ts';
import type { GenerationDocument, Kind } from '../documents.ts';
import { asBuffers, through } from './branches.ts';
import { removeEarlier } from './earlier/queries.ts';
import { isServiceId, keysOf, profileIn } from './key.ts';
import type { Reading } from './reading.ts';
import { isMigrating, isWritten, type ReadGenerations } from './sources.ts';

const rowsAtOnce = 1000;

interface Place {
  coll: string;
  _id: Buffer;
}

/** Also what a majority does not have yet: a row may have been migrated a moment ago. */
const reading: Reading = { readConcern: { level: 'local' } };

export const createRemoval = (db: Db, of: Kind, all: ReadGenerations) => {
  /** The generations that hold something of these people. */
  const placesOf = async (
    profiles: readonly string[],
    generations: readonly GenerationDocument[],
  ): Promise<Place[]> => {
    const branches = profiles.filter(isServiceId).flatMap((profile) =>
      generations.map(({ _id: coll }) => ({
        coll,
        pipeline: [
          { $match: { _id: keysOf(profile) } },
          { $limit: 1 },
          { $project: { coll: { $literal: coll } } },
        ],
      })),
    );
    const places: Place[] = [];
    for await (const some of through<Place>(db, branches, reading)) places.push(...some);
    return places;
  };

  /** `mayGoOn` throws to end it. */
  return async (profiles: readonly string[], mayGoOn: () => void = () => {}): Promise<void> => {
    const generations = await all(reading);
    // First those that wait for their migration: they move into the generations.
    if (generations.some(isMigrating)) await removeEarlier(db, of, { profiles, mayGoOn, reading });
    const written = (await all(reading)).filter(isWritten);
    for (const { coll, _id: key } of await placesOf(profiles, written)) {
      const rows = db.collection<{ _id: Buffer }>(coll, asBuffers);
      const theirs = { _id: keysOf(profileIn(key)) };
      for (;;) {
        mayGoOn();
        const some = await rows
          .find(theirs, {
            projection: { _id: 1 },
            sort: { _id: 1 },
            limit: rowsAtOnce,
            batchSize: rowsAtOnce + 1,
            ...reading,
          })
          .toArray();
        const [$gte, $lte] = [some[0]?._id, some.at(-1)?._id];
        if (!$gte || !$lte) break;
        await rows.deleteMany({ _id: { $gte, $lte } });
      }
    }
  };
};
