/** Removes all occurrences of people, in small steps. It can end anywhere and be repeated. */
import type { Db } from '../connection/db.ts';
import type { GenerationDocument } from '../models/occurrences.ts';
import {
  asBuffers,
  type MayGoOn,
  type OccurrenceReading,
  type ReadGenerations,
  through,
} from './branches.ts';
import { isWritten } from './generations.ts';
import { isServiceId, keysOf, profileIn } from './key.ts';
import { isMoving } from './tiers.ts';

const rowsAtOnce = 1000;

interface RowPlace {
  coll: string;
  _id: Buffer;
}

/** Also data that a majority does not have yet: a row may have been moved a moment ago. */
const reading: OccurrenceReading = { readConcern: { level: 'local' } };

/** All generations at one moment: a row that is being moved is in one of them. */
const atOnce: OccurrenceReading = { readConcern: { level: 'snapshot' } };

/** Rows that are merged meanwhile are looked for again. */
const mostRounds = 20;

const sameLists = (before: readonly GenerationDocument[], after: readonly GenerationDocument[]): boolean =>
  JSON.stringify(before.map(({ _id }) => _id)) === JSON.stringify(after.map(({ _id }) => _id));

export const createRemoval = (db: Db, all: ReadGenerations) => {
  /** The generations with rows of these people. */
  const placesOf = async (
    profiles: readonly string[],
    generations: readonly GenerationDocument[],
    how: OccurrenceReading,
  ): Promise<RowPlace[]> => {
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
    const places: RowPlace[] = [];
    for await (const some of through<RowPlace>(db, branches, how)) places.push(...some);
    return places;
  };

  const removeAt = async ({ coll, _id: key }: RowPlace, mayGoOn: MayGoOn): Promise<void> => {
    const rows = db.collection<{ _id: Buffer }>(coll, asBuffers);
    const theirs = { _id: keysOf(profileIn(key)) };
    for (;;) {
      await mayGoOn();
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
      if (!$gte || !$lte) return;
      await rows.deleteMany({ _id: { $gte, $lte } });
    }
  };

  /** Whether nothing is left: rows that a merge moved meanwhile may have been missed. */
  const removeOnce = async (profiles: readonly string[], mayGoOn: MayGoOn): Promise<boolean> => {
    const before = await all(reading);
    const isMerging = before.some(isMoving);
    const places = await placesOf(profiles, before.filter(isWritten), isMerging ? atOnce : reading);
    for (const place of places) await removeAt(place, mayGoOn);
    const after = await all(reading);
    if (!sameLists(before, after)) return false;
    return isMerging ? places.length === 0 : !after.some(isMoving);
  };

  return async (profiles: readonly string[], mayGoOn: MayGoOn = () => {}): Promise<void> => {
    for (let round = 0; round < mostRounds; round++) if (await removeOnce(profiles, mayGoOn)) return;
    throw new Error('merges keep moving rows of deleted people; the removal is retried later');
  };
};
