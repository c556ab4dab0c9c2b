/**
 * Occurrences are stored in a row of collections, the generations. All workers write to the newest one, so its pages stay in the cache. The
 * next one is made before it is needed. A worker that learns late of a new generation writes to the one before, which is right too: readers
 * read all.
 */
import type { Collection, Db } from '../connection/db.ts';
import type { GenerationDocument, OccurrenceKind } from '../models/occurrences.ts';
import type { OccurrenceReading } from './branches.ts';
import { type GenerationLimits, isFull } from './is-full.ts';
import { createCollectionOf, dropEmpty, generationName } from './steps.ts';

/** How long a worker uses the list that it has read. */
const knownForMs = 2_000;

const dayMs = 24 * 60 * 60 * 1000;

const dayOf = (time: number): Date => new Date(Math.floor(time / dayMs) * dayMs);

interface KnownGeneration {
  name: string;
  /** In milliseconds: no row is older. */
  oldest: number;
  since: { steady: number; clock: number };
}

/** By both clocks: one of them stands still while a virtual machine is paused. */
const isKnown = ({ since }: KnownGeneration): boolean =>
  performance.now() - since.steady < knownForMs && Math.abs(Date.now() - since.clock) < knownForMs;

const isOpen = ({ closed }: GenerationDocument): boolean => closed === undefined;

/** A generation says its oldest day before the first row of it is there. */
export const isWritten = ({ oldest }: GenerationDocument): boolean => oldest !== undefined;

interface GenerationsOptions {
  db: Db;
  of: OccurrenceKind;
  limits: GenerationLimits;
}

/** Steps that can be repeated, and be done by several processes at once. */
const createSteps = (
  { db, of, limits }: GenerationsOptions,
  generations: Collection<GenerationDocument>,
) => ({
  async make(n: number): Promise<void> {
    const _id = generationName(of, n);
    await createCollectionOf(db, _id);
    await generations.updateOne({ _id }, { $setOnInsert: { of, n } }, { upsert: true });
  },

  /** Closes it if it is full. Returns whether it is closed. */
  async closeIfFull(name: string): Promise<boolean> {
    if (!(await isFull(db, name, limits))) return false;
    await generations.updateOne({ _id: name, closed: { $exists: false } }, [{ $set: { closed: '$$NOW' } }]);
    return true;
  },
});

export const createGenerations = (options: GenerationsOptions) => {
  const { db, of } = options;
  const generations: Collection<GenerationDocument> = db.collection<GenerationDocument>('generations');
  const { make, closeIfFull } = createSteps(options, generations);
  let known: KnownGeneration | undefined;
  let tending: Promise<void> = Promise.resolve();

  /** From the oldest to the newest. */
  const all = (reading: OccurrenceReading = {}): Promise<GenerationDocument[]> =>
    generations.find({ of }, { ...reading, sort: { n: 1 } }).toArray();

  /** At least two are open: the current one and the next one. */
  const tend = async (): Promise<void> => {
    const some = await all();
    const [newest, next] = some.filter(isOpen);
    if (newest && next && !(await closeIfFull(newest._id))) return;
    const last = some.at(-1)?.n ?? 0;
    await make(last + 1);
    if (!newest) await make(last + 2);
  };

  const learn = async (): Promise<KnownGeneration> => {
    let newest = (await all()).find(isOpen);
    if (!newest) {
      await tend();
      newest = (await all()).find(isOpen);
    }
    if (!newest) throw new Error(`there is no open generation of ${of}`);
    // Makes the next one in the background. After an error, the next worker that looks tries again.
    tending = tending.then(tend).catch(() => {});
    const oldest = newest.oldest?.getTime() ?? Number.POSITIVE_INFINITY;
    known = { name: newest._id, oldest, since: { steady: performance.now(), clock: Date.now() } };
    return known;
  };

  return {
    all,
    tend,
    foundEmpty: (generation: GenerationDocument, now?: number): Promise<boolean> =>
      dropEmpty(db, generations, generation, now),

    /** The collection for rows that are not older than this. Its document says so before the rows are there. */
    async forRows(oldest: number): Promise<string> {
      const now = known && isKnown(known) ? known : await learn();
      if (oldest < now.oldest) {
        const day = dayOf(oldest);
        await generations.updateOne({ _id: now.name }, { $min: { oldest: day } });
        now.oldest = day.getTime();
      }
      return now.name;
    },

    /** Runs the periodic steps at once. */
    async look(): Promise<void> {
      await tending;
      await tend();
      known = undefined;
    },

    /** Waits for the steps that are under way. */
    close: (): Promise<void> => tending,
  };
};
