/** The lane of a request: the usual one, or the heavy one for workspaces that are over their share. */
import { onlyWorkspace, type Sized } from '../group.ts';
import { isPast, oldestByWorkspace, type Unfinished } from '../order/fence.ts';
import { createShares } from './shares.ts';

/** Requests for one lane. A heavy workspace has parts of its own, so that workers can alternate between workspaces. */
export interface LanePart {
  heavy: boolean;
  items: readonly Sized[];
}

export interface Lanes {
  split(items: readonly Sized[], nowMs: number): LanePart[];
  /** The part is in its queue, or may be there. */
  written(part: LanePart): void;
  close(): void;
}

const fixed = (split: Lanes['split']): Lanes => ({ split, written: () => {}, close: () => {} });

export const oneLane: Lanes = fixed((items) => [{ heavy: false, items }]);

const lookEveryMs = 500;

/** A kilobyte is about as much work as an entry: few entries can be long lists. */
const bytesOfEntry = 1_024;

const workOf = ({ entries, body }: Sized): number => entries + Math.floor(body.length / bytesOfEntry);

/** The requests of each heavy workspace, and all others together. */
const partsOfSeveral = (items: readonly Sized[], isHeavy: (ws: string) => boolean): LanePart[] => {
  const normal: Sized[] = [];
  const byWorkspace = new Map<string, Sized[]>();
  for (const item of items) {
    const { ws } = item.request;
    const own = byWorkspace.get(ws) ?? (isHeavy(ws) ? [] : normal);
    byWorkspace.set(ws, own);
    own.push(item);
  }
  const heavy = [...byWorkspace.values()].filter((own) => own !== normal);
  const parts = heavy.map((own): LanePart => ({ heavy: true, items: own }));
  return normal.length > 0 ? [{ heavy: false, items: normal }, ...parts] : parts;
};

/** Background work: every workspace is heavy. */
export const heavyLane: Lanes = fixed((items) => partsOfSeveral(items, () => true));

/**
 * By queue, the workspaces with heavy jobs that have waited from one look to the next. In other queues their requests wait for these jobs at
 * the fence, and would hold up the usual lane.
 */
export type Backlogs = Set<string>[];

/**
 * A workspace stays in the heavy lane until its heavy jobs are done, so that it does not overtake itself. Its next requests have higher
 * stamps, but an entry that looks up a person would miss the one that a request in the heavy lane is about to create.
 */
export const createLanes = (readHeavy: () => Promise<Unfinished[]>, backlogs: Backlogs = []): Lanes => {
  const shares = createShares();
  const lastSent = new Map<string, number>();
  /** By heavy workspace, the number of its parts that are being written to Redis. */
  const writing = new Map<string, number>();
  const behind = new Set<string>();
  backlogs.push(behind);
  let before = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const asked = [...lastSent];
    const unfinished = await readHeavy();
    const oldest = oldestByWorkspace(unfinished);
    behind.clear();
    for (const [ws, stamp] of asked) {
      if (lastSent.get(ws) === stamp && isPast(stamp, unfinished)) lastSent.delete(ws);
      if (oldest(ws) <= (before.get(ws) ?? 0)) behind.add(ws);
    }
    before = new Map(asked);
    if (lastSent.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const watch = (): void => {
    // When Redis is away, no job counts as finished.
    timer ??= setInterval(() => void look().catch(() => {}), lookEveryMs).unref();
  };

  const countWriting = (ws: string, change: 1 | -1): void => {
    const parts = (writing.get(ws) ?? 0) + change;
    if (parts > 0) writing.set(ws, parts);
    else writing.delete(ws);
  };

  const isHeavy = (ws: string, nowMs: number): boolean =>
    shares.isOver(ws, nowMs) ||
    lastSent.has(ws) ||
    writing.has(ws) ||
    backlogs.some((waiting) => waiting.has(ws));

  return {
    split(items, nowMs) {
      for (const item of items) shares.count(item.request.ws, workOf(item), nowMs);
      const ws = onlyWorkspace(items);
      const parts =
        ws === undefined
          ? partsOfSeveral(items, (one) => isHeavy(one, nowMs))
          : [{ heavy: isHeavy(ws, nowMs), items }];
      for (const { heavy, items: own } of parts) if (heavy && own[0]) countWriting(own[0].request.ws, 1);
      return parts;
    },
    written({ heavy, items }) {
      const [first] = items;
      if (!heavy || !first) return;
      const { ws } = first.request;
      const last = items.reduce((latest, { request }) => Math.max(latest, request.at), 0);
      lastSent.set(ws, Math.max(last, lastSent.get(ws) ?? 0));
      countWriting(ws, -1);
      watch();
    },
    close: () => clearInterval(timer),
  };
};
