/** What a job saves of its requests: each before it is sent, and again when its outcome is known. */
import type { JudgeRows } from '@roster/integrations';
import type { Store, SyncChunkDocument } from '@roster/store';
import { badEntry, keepBadRows } from './bad-rows.ts';
import type { Collected } from './collector.ts';
import { type Lease, LeaseLost } from './lease.ts';
import type { Settled } from './outcomes.ts';

const chunkId = (integration: string, at: number): string => `${integration}/${at}`;

export interface Saving {
  collected: Collected;
  judged: ReturnType<JudgeRows>;
  at: number;
}

const chunkOf = (
  { job }: Pick<Lease, 'job'>,
  { collected, judged: { request }, at }: Saving,
): SyncChunkDocument => ({
  _id: chunkId(job.integration, at),
  ws: job.ws,
  integration: job.integration,
  job: job._id,
  at,
  state: request ? 'open' : 'done',
  ...(request && { op: request.op, body: request.body, ...(request.exact && { exact: true as const }) }),
  entries: request?.entries ?? 0,
  to: JSON.stringify(collected.to),
  hashes: collected.hashes,
});

const refusedRows = ({ entries, moments }: Collected, { refused }: Saving['judged']) =>
  refused.map(({ place, reason }) => {
    const moment = moments[place];
    return { ...badEntry(entries[place], reason), ...(moment !== undefined && { updatedAt: moment }) };
  });

/** Every transaction writes the job, and so fails when the job is somebody else's. */
export const createKeep = (store: Store, { job, mine }: Lease) => {
  const { jobs, chunks } = store.syncs;

  const save = (saving: Saving): Promise<SyncChunkDocument> =>
    store.transact(async (session) => {
      const { collected, judged } = saving;
      const bad = [...collected.bad, ...refusedRows(collected, judged)];
      const chunk = chunkOf({ job }, saving);
      const before = await jobs.findOneAndUpdate(
        mine,
        {
          $set: { cursor: chunk.to, last: collected.to.updatedAt, tries: 0 },
          $inc: { failed: bad.length, rows: bad.length },
          $unset: { reason: 1 },
        },
        { session, returnDocument: 'before' },
      );
      if (!before) throw new LeaseLost();
      if (collected.hashes.length > 0) await chunks.insertOne(chunk, { session });
      await keepBadRows(store, { job, from: before.rows, bad }, session);
      return chunk;
    });

  const settle = (settled: readonly Settled[]): Promise<void> =>
    store.transact(async (session) => {
      const ids = settled.map(({ chunk }) => chunk._id);
      const bad = settled.flatMap((one) => one.bad);
      const synced = settled.reduce((sum, one) => sum + one.chunk.entries - one.bad.length, 0);
      const before = await jobs.findOneAndUpdate(
        mine,
        { $inc: { synced, failed: bad.length, rows: bad.length }, $set: { tries: 0 } },
        { session, returnDocument: 'before' },
      );
      const { modifiedCount } = await chunks.updateMany(
        { _id: { $in: ids }, state: 'open' },
        { $set: { state: 'done' }, $unset: { body: 1 } },
        { session },
      );
      if (!before || modifiedCount < ids.length) throw new LeaseLost();
      let from = before.rows;
      for (const { bad: rows, request } of settled) {
        await keepBadRows(store, { job, from, bad: rows, request }, session);
        from += rows.length;
      }
    });

  return { save, settle };
};
