/** All people of a workspace at one moment, from the beginning or from where an export stopped. */
import { renameSync } from 'node:fs';
import type { Profile } from '@roster/profile';
import { classify, clusterTimeOf, documentIn, type Moment, type Store } from '@roster/store';
import type { Watched } from '../person.ts';
import { failed, messageOf } from '../result.ts';
import { saveWhole } from '../saved-state.ts';
import { type Pass, passes, ruleOf } from './passes.ts';
import type { Sink } from './sink.ts';
import { forgetState, type Place, partPathOf, type SavedExport, statePathOf } from './state-file.ts';
import { type Tally, tallyWords } from './tally.ts';
import { writePeople } from './write-people.ts';

export interface ExportRun {
  store: Store;
  workspace: string;
  /** Missing for standard output. */
  file: string | undefined;
  sink: Sink;
  from: SavedExport | undefined;
  tally: Tally;
  watched: Watched;
}

export interface Exported {
  isWhole: boolean;
  /** Seconds since the epoch. */
  moment: number;
  bytes: number;
}

/** People who are read together. */
const most = { people: 200, bytes: 4 * 1024 * 1024 };
const saveEveryMs = 1000;

/** A walk over many millions takes its time; each read of it is short. */
const noLimit = 0;

async function* batchesOf(cursor: AsyncIterable<Buffer>): AsyncGenerator<Profile[]> {
  let people: Profile[] = [];
  let bytes = 0;
  for await (const document of cursor) {
    people.push(documentIn<Profile>(document));
    bytes += document.length;
    if (people.length < most.people && bytes < most.bytes) continue;
    yield people;
    [people, bytes] = [[], 0];
  }
  if (people.length > 0) yield people;
}

const peopleIn = ({ store, workspace }: ExportRun, moment: Moment, pass: Pass, after: string) =>
  store.profiles.find<Buffer>(
    { ws: workspace, _id: { $gt: after }, ...ruleOf[pass].filter },
    { ...moment, sort: { _id: 1 }, batchSize: most.people, raw: true },
  );

const countMs = 10_000;

const countPeople = ({ store, workspace }: ExportRun): Promise<number | undefined> =>
  // For the bar only: when counting takes too long there is none.
  store.profiles.countDocuments({ ws: workspace }, { maxTimeMS: countMs }).catch(() => undefined);

const save = async (run: ExportRun, moment: Moment, place: Omit<Place, 'bytes'>): Promise<number> => {
  const { sink, file, workspace, tally } = run;
  const bytes = await sink.sync();
  const at = clusterTimeOf(moment);
  if (file !== undefined && at !== undefined)
    saveWhole(statePathOf(file), {
      version: 1,
      workspace,
      moment: at,
      place: { ...place, bytes },
      tally,
    } satisfies SavedExport);
  return bytes;
};

/** `false` when it was stopped. */
const walk = async (run: ExportRun, moment: Moment): Promise<{ isWhole: boolean; bytes: number }> => {
  const { store, workspace: ws, sink, from, tally } = run;
  const {
    progress,
    stop: { signal },
  } = run.watched;
  const total = await countPeople(run);
  let place: Omit<Place, 'bytes'> = from?.place ?? { pass: passes[0], after: '' };
  let savedAt = Date.now();
  const writing = { store, ws, moment, tally, write: (text: string) => sink.write(text) };
  for (const pass of passes.slice(passes.indexOf(place.pass))) {
    // A pass may search for long until it finds a person: finished work is not repeated.
    if (pass !== place.pass) {
      place = { pass, after: '' };
      const bytes = await save(run, moment, place);
      if (signal.aborted) return { isWhole: false, bytes };
    }
    for await (const people of batchesOf(peopleIn(run, moment, pass, place.after))) {
      await writePeople(writing, people, pass);
      place = { pass, after: people.at(-1)?._id ?? '' };
      progress.show(total === undefined ? undefined : tally.people / Math.max(total, 1), () =>
        tallyWords(tally),
      );
      if (signal.aborted) return { isWhole: false, bytes: await save(run, moment, place) };
      if (Date.now() - savedAt < saveEveryMs) continue;
      await save(run, moment, place);
      savedAt = Date.now();
    }
  }
  return { isWhole: true, bytes: await sink.sync() };
};

/** SnapshotTooOld, SnapshotUnavailable. */
const goneCodes: ReadonlySet<unknown> = new Set([239, 246]);

const isGone = (error: unknown): boolean => goneCodes.has((error as { code?: unknown } | undefined)?.code);

const explained = async (error: unknown, { store, from, file }: ExportRun): Promise<unknown> => {
  if (isGone(error)) {
    const seconds = (await store.historySeconds()) ?? 300;
    const what = from ? 'is gone' : 'was gone before the end';
    return failed(
      `the moment of which this export is ${what}: MongoDB keeps ${seconds} s of it. Begin anew without --resume; if it takes longer than that, first let MongoDB keep more: db.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 3600 })`,
    );
  }
  if (classify(error) !== 'passing') return error;
  const goOn = file === undefined ? '' : ' The same command with --resume goes on.';
  return failed(`MongoDB did not answer (${messageOf(error)}).${goOn}`);
};

/** The file gets its name when it is complete. */
const complete = (file: string | undefined): void => {
  if (file === undefined) return;
  renameSync(partPathOf(file), file);
  forgetState(file);
};

export const runExport = async (run: ExportRun): Promise<Exported> => {
  const { store, sink, file, from } = run;
  try {
    return await store.snapshot({ maxTimeMS: noLimit, at: from?.moment }, async (moment) => {
      // Fixes the moment, also when there is nothing to read.
      await store.profiles.findOne({}, { ...moment, projection: { _id: 1 } });
      const { isWhole, bytes } = await walk(run, moment);
      await sink.close();
      if (isWhole) complete(file);
      return { isWhole, bytes, moment: Number(clusterTimeOf(moment)?.split('.')[0]) };
    });
  } catch (error) {
    throw await explained(error, run);
  } finally {
    // Closed before without an error, or there is one already that counts.
    await sink.close().catch(() => {});
  }
};
