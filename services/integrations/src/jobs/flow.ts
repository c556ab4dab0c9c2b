/**
 * From rows to applied requests. Each request is saved before it is sent, under a stamp of its own, and stays saved until its outcome is
 * known: whoever takes the job over sends the same again, and the mark of the request applies it once. A bounded number is on its way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JudgeSettings } from '@roster/contract';
import type { JudgeRows } from '@roster/integrations';
import type { Store, SyncChunkDocument } from '@roster/store';
import type { Collected } from './collector.ts';
import { createKeep, type Saving } from './keep.ts';
import type { Lease } from './lease.ts';
import { createPace } from './others.ts';
import { outcomesOf } from './outcomes.ts';
import type { Retries } from './retries.ts';
import type { JobLog } from './row-log.ts';
import type { SameRow } from './same-row.ts';
import type { Sender } from './sender.ts';

const lookEveryMs = 25;

export interface FlowOptions {
  store: Store;
  lease: Lease;
  sender: Sender;
  judgeRows: JudgeRows;
  settings: JudgeSettings;
  data: Parameters<JudgeRows>[0]['data'];
  retries: Retries;
  sameRow: SameRow;
  log: JobLog;
  /** Syncs of this process. */
  syncs(): number;
}

export const createFlow = ({
  store,
  lease,
  sender,
  judgeRows,
  settings,
  data,
  retries,
  sameRow,
  log,
  syncs,
}: FlowOptions) => {
  const { job } = lease;
  const { save, settle } = createKeep(store, lease, { retries, sameRow, isLogged: log.isOn });
  const pace = createPace(sender.others, syncs);
  /** In the order in which they were saved. */
  let open: SyncChunkDocument[] = [];
  const openKeys = new WeakMap<SyncChunkDocument, ReadonlySet<string>>();

  /** Those whose outcome is known are done with. */
  const look = async (): Promise<boolean> => {
    lease.assertHeld();
    const settled = await outcomesOf(store, sender.requestOf, open, data);
    if (settled.length === 0) return false;
    await log.settled(settled);
    await settle(settled);
    const done = new Set(settled.map(({ chunk }) => chunk));
    open = open.filter((chunk) => !done.has(chunk));
    return true;
  };

  const until = async (isGood: () => boolean): Promise<void> => {
    while (!isGood()) {
      if (await look()) continue;
      await sender.sendLost(open, lease.assertHeld);
      await sleep(lookEveryMs);
    }
  };

  /** As a caller would; where a caller is refused, a sync waits. */
  const pay = async (price: number): Promise<void> => {
    while (!(await sender.pay(job.ws, price))) if (!(await look())) await sleep(lookEveryMs);
  };

  return {
    /** Requests that a process before had saved. It may have sent them, or not. */
    async adopt(): Promise<void> {
      const { integration } = job;
      const found = await store.syncs.chunks
        .find({ integration, state: 'open' }, { sort: { at: 1 }, promoteBuffers: true })
        .toArray();
      for (const chunk of found) open.push(await sender.again(chunk, lease.assertHeld));
      // Then nothing of them is tried again that has succeeded.
      await until(() => open.length === 0);
    },

    async put(collected: Collected): Promise<void> {
      const { entries, by, seen, removal = data } = collected;
      const keys = sameRow.keysOf(seen);
      const isApart = (chunk: SyncChunkDocument): boolean =>
        ![...(openKeys.get(chunk) ?? [])].some((key) => keys.has(key));
      await until(() => open.length < pace.most() && !sender.isBusy() && open.every(isApart));
      await pace.rest();
      const judged: Saving['judged'] = by
        ? judgeRows({ data: removal, by, entries }, settings)
        : { accepted: [], refused: [] };
      if (judged.request) await pay(judged.request.price);
      await log.refused({ collected, judged });
      const at = await sender.stamp();
      lease.assertHeld();
      const chunk = await save({ collected, judged, at });
      if (!judged.request) return;
      open.push(chunk);
      openKeys.set(chunk, keys);
      await sender.send(chunk, lease.assertHeld);
    },

    settled: () => until(() => open.length === 0),
  };
};
