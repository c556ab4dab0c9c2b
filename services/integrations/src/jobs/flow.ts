/**
 * From rows to applied requests. Each request is saved before it is sent, under a stamp of its own, and stays saved until its outcome is
 * known: whoever takes the job over sends the same again, and the mark of the request applies it once. A bounded number is on its way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JudgeSettings } from '@roster/contract';
import type { JudgeRows } from '@roster/integrations';
import type { Store, SyncChunkDocument } from '@roster/store';
import type { Behind } from './behind.ts';
import type { Collected } from './collector.ts';
import { createKeep, type Keep, type Saving } from './keep.ts';
import type { Lease } from './lease.ts';
import { createPace, createReadingPace } from './others.ts';
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
  layout: string | undefined;
  log: JobLog;
  sending: Behind;
  /** Syncs of this process. */
  syncs(): number;
}

const judgedOf = (
  { judgeRows, settings, data }: FlowOptions,
  { by, rows, removal = data }: Collected,
): Saving['judged'] =>
  by
    ? judgeRows({ data: removal, by, entries: rows.map(({ entry }) => entry) }, settings)
    : { accepted: [], refused: [] };

/** The requests that are on their way. */
const createUnderWay = ({ store, lease, sender, data, log }: FlowOptions, { settle }: Keep) => {
  /** In the order in which they were saved. */
  let open: SyncChunkDocument[] = [];

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

  const until = async (isGood: (open: readonly SyncChunkDocument[]) => boolean): Promise<void> => {
    while (!isGood(open)) {
      if (await look()) continue;
      await sender.sendLost(open, lease.assertHeld);
      await sleep(lookEveryMs);
    }
  };

  return {
    add: (chunk: SyncChunkDocument): void => void open.push(chunk),
    look,
    until,
    untilNone: () => until(({ length }) => length === 0),
  };
};

export const createFlow = (options: FlowOptions) => {
  const { store, lease, sender, retries, sameRow, layout, log, syncs, sending } = options;
  const { job } = lease;
  const keep = createKeep(store, lease, { retries, sameRow, isLogged: log.isOn, layout });
  const pace = createPace(sender.others, syncs);
  const underWay = createUnderWay(options, keep);
  const openKeys = new WeakMap<SyncChunkDocument, ReadonlySet<string>>();

  /** As a caller would; where a caller is refused, a sync waits. */
  const pay = async (price: number): Promise<void> => {
    while (!(await sender.pay(job.ws, price))) if (!(await underWay.look())) await sleep(lookEveryMs);
  };

  const saveAndSend = async (collected: Collected, judged: Saving['judged']): Promise<void> => {
    const keys = sameRow.keysOf(collected.rows);
    const isApart = (chunk: SyncChunkDocument): boolean =>
      ![...(openKeys.get(chunk) ?? [])].some((key) => keys.has(key));
    await underWay.until((open) => open.length < pace.most() && !sender.isBusy() && open.every(isApart));
    await pace.rest();
    if (judged.request) await pay(judged.request.price);
    await log.refused({ collected, judged });
    const at = await sender.stamp();
    lease.assertHeld();
    const chunk = await keep.save({ collected, judged, at, id: sender.idOf(job.ws, at) });
    if (!judged.request) return;
    underWay.add(chunk);
    openKeys.set(chunk, keys);
    await sender.send(chunk, lease.assertHeld);
  };

  return {
    /** Requests that a process before had saved. It may have sent them, or not. */
    async adopt(): Promise<void> {
      const { integration } = job;
      const found = await store.syncs.chunks
        .find({ integration, state: 'open' }, { sort: { at: 1 }, promoteBuffers: true })
        .toArray();
      for (const chunk of found) underWay.add(await sender.again(chunk, lease.assertHeld));
      // Then nothing of them is tried again that has succeeded.
      await underWay.untilNone();
    },

    /** Ends when the request before is sent: the rows of the next one are gathered and judged while this one is saved. */
    put(collected: Collected): Promise<void> {
      const judged = judgedOf(options, collected);
      return sending.start(() => saveAndSend(collected, judged));
    },

    /** Waited for by what reads rows. */
    rest: createReadingPace(sender.others),

    /** Until what was put is saved. */
    saved: sending.ended,

    async settled(): Promise<void> {
      await sending.ended();
      await underWay.untilNone();
    },
  };
};

export type Flow = ReturnType<typeof createFlow>;
