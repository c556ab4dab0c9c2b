/**
 * From rows to applied requests. Each request is saved before it is sent, under a stamp of its own, and stays saved until its outcome is
 * known: whoever takes the job over sends the same again, and the mark of the request applies it once. A bounded number is on its way.
 */
import type { JudgeSettings } from '@roster/contract';
import type { JudgeRows } from '@roster/integrations';
import type { Store, SyncChunkDocument } from '@roster/store';
import type { Collected } from './collector.ts';
import { createKeep, type Saving } from './keep.ts';
import type { Lease } from './lease.ts';
import { outcomesOf } from './outcomes.ts';
import type { Sender } from './sender.ts';

/** Requests on their way. */
const mostOpen = 8;

/** While others have work all the time, the syncs of a process together rest nine times as long as they work. */
const rest = { times: 9, mostMs: 3_000 };

const lookEveryMs = 25;

export interface FlowOptions {
  store: Store;
  lease: Lease;
  sender: Sender;
  judgeRows: JudgeRows;
  settings: JudgeSettings;
  data: Parameters<JudgeRows>[0]['data'];
  /** Syncs of this process. */
  syncs(): number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const createFlow = ({ store, lease, sender, judgeRows, settings, data, syncs }: FlowOptions) => {
  const { job } = lease;
  const { save, settle } = createKeep(store, lease);
  /** In the order in which they were saved. */
  let open: SyncChunkDocument[] = [];

  /** Those whose outcome is known are done with. */
  const look = async (): Promise<boolean> => {
    lease.assertHeld();
    const settled = await outcomesOf(store, sender.requestOf, open);
    if (settled.length === 0) return false;
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

  let restedAt = performance.now();

  /** Fewer on their way, and pauses between them, the more others have to do. */
  const makeRoom = async (): Promise<void> => {
    const others = sender.others();
    const most = Math.max(1, Math.round(mostOpen * (1 - others)));
    await until(() => open.length < most && !sender.isBusy());
    const worked = performance.now() - restedAt;
    await sleep(others * syncs() * Math.min(rest.mostMs, rest.times * worked));
    restedAt = performance.now();
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
    },

    async put(collected: Collected): Promise<void> {
      const { entries, by } = collected;
      await makeRoom();
      const judged: Saving['judged'] = by
        ? judgeRows({ data, by, entries }, settings)
        : { accepted: [], refused: [] };
      if (judged.request) await pay(judged.request.price);
      const at = await sender.stamp();
      lease.assertHeld();
      const chunk = await save({ collected, judged, at });
      if (!judged.request) return;
      open.push(chunk);
      await sender.send(chunk, lease.assertHeld);
    },

    settled: () => until(() => open.length === 0),
  };
};
