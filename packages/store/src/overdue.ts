/** Work that should have begun and has not: its processes are away, or starved, or have too much to do. */
import type { Store } from './connection/open-store.ts';

/** From here on it is told: under load, work begins within seconds. */
const overdueAfterMs = 120_000;

const maxTimeMS = 1_000;

const overdueKinds = ['schedules', 'deliveries', 'syncs'] as const;

export interface Overdue {
  work: (typeof overdueKinds)[number];
  /** How long ago the oldest should have begun; 0 without any. */
  ms: number;
}

export const isOverdue = ({ ms }: Pick<Overdue, 'ms'>): boolean => ms >= overdueAfterMs;

export const overdueSentence = ({ work, ms }: Overdue): string =>
  `${work} should have begun ${Math.round(ms / 1000)} s ago`;

/** A delivery is given back and is due again and again: that nobody was read for it says that it has not begun. */
export const notBegun = {
  // By the index of what has something to do.
  lane: { $gt: '' },
  due: { $exists: true },
  cursor: { $exists: false },
  halted: { $exists: false },
  read: false,
};

/**
 * A workspace with many syncs has them wait for each other, for hours if their sources do not answer. So only that of a workspace counts which
 * gets no turn at all: none of its syncs is at work, or pauses after a turn.
 */
const firstUnserved = async ({ jobs }: Store['syncs'], now: Date) => {
  const served = await jobs.distinct('ws', { due: { $gt: now } }, { maxTimeMS });
  return jobs.findOne(
    { due: { $lte: now }, ws: { $nin: served } },
    { maxTimeMS, projection: { due: 1 }, sort: { due: 1 } },
  );
};

export const readOverdue = async (
  { messages, syncs }: Pick<Store, 'messages' | 'syncs'>,
  now = new Date(),
): Promise<Overdue[]> => {
  const isDue = { $lte: now };
  const first = { maxTimeMS, projection: { due: 1, began: 1 } } as const;
  const [schedule, delivery, job] = await Promise.all([
    messages.schedules.findOne({ due: isDue, state: 'waiting' }, { ...first, sort: { due: 1 } }),
    messages.deliveries.findOne(notBegun, { ...first, sort: { began: 1 } }),
    firstUnserved(syncs, now),
  ]);
  const since = { schedules: schedule?.due, deliveries: delivery?.began, syncs: job?.due };
  return overdueKinds.map((work) => {
    const at = since[work];
    return { work, ms: at ? Math.max(0, now.getTime() - at.getTime()) : 0 };
  });
};
