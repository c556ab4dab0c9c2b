/** Rows of new files that lie before the place from which a job reads: they are counted while the files are read. */
import type { Source } from '@roster/sources';
import type { Store } from '@roster/store';
import type { Lease } from './lease.ts';

type Count = Parameters<Source['pages']>[0]['late'];

export const createLateRows = (
  { syncs }: Pick<Store, 'syncs'>,
  { job, mine }: Pick<Lease, 'job' | 'mine'>,
  before: Date | undefined,
) => {
  let late = 0;
  const told = (rows: number): void => {
    late = rows;
  };
  // A job that is taken over reads from another place.
  const count: Count = before && job.cursor === undefined ? { before, told } : undefined;
  return {
    count,
    /** Of the job, for people who look. */
    async save(): Promise<void> {
      if (late === 0) return;
      await syncs.jobs.updateOne(mine, { $set: { late } });
      late = 0;
    },
  };
};

export type LateRows = ReturnType<typeof createLateRows>;
