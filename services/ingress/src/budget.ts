/** A number of bytes that all requests of this process share, handed out in turn between workspaces. */
import { createTally } from '@roster/contract';

/** Gives back what was taken; a second call does nothing. */
export type Release = () => void;

/** There was no room in time: in the share of the workspace (`own`), or in the whole. */
export class NoRoom extends Error {
  readonly own: boolean;
  constructor(own: boolean) {
    super(own ? 'no room in the share of the workspace' : 'no room');
    this.own = own;
  }
}

export interface BudgetOptions {
  bytes: number;
  /** The most that one workspace may hold. */
  share: number;
  patienceMs: number;
}

interface WaitingForRoom {
  amount: number;
  grant(): void;
}

/** Waiting requests by workspace. The first workspace has the next turn. */
const createLines = () => {
  const lines = new Map<string, Set<WaitingForRoom>>();
  return {
    isEmpty: (): boolean => lines.size === 0,
    all: (): Iterable<[string, Set<WaitingForRoom>]> => lines,
    join(ws: string, waiting: WaitingForRoom): void {
      lines.set(ws, (lines.get(ws) ?? new Set<WaitingForRoom>()).add(waiting));
    },
    leave(ws: string, waiting: WaitingForRoom): void {
      const line = lines.get(ws);
      line?.delete(waiting);
      if (line?.size === 0) lines.delete(ws);
    },
    /** The others come first now. */
    toTheEnd(ws: string): void {
      const line = lines.get(ws);
      if (!line) return;
      lines.delete(ws);
      lines.set(ws, line);
    },
  };
};

/** The bytes in use, by workspace. */
const createHoldings = (bytes: number, share: number) => {
  let used = 0;
  const held = createTally();
  const ownFits = (ws: string, amount: number): boolean => held.of(ws) + amount <= share;
  return {
    ownFits,
    fits: (ws: string, amount: number): boolean => used + amount <= bytes && ownFits(ws, amount),
    /** More, or fewer where it is below zero. */
    hold(ws: string, amount: number): void {
      used += amount;
      held.add(ws, amount);
    },
    used: (): number => used,
  };
};

/** The first request that fits. A request that does not fit into the whole keeps its turn; one beyond its workspace's share is skipped. */
const nextIn = (
  lines: ReturnType<typeof createLines>,
  { ownFits, fits }: ReturnType<typeof createHoldings>,
): { ws: string; first: WaitingForRoom } | undefined => {
  for (const [ws, line] of lines.all()) {
    const [first] = line;
    if (!first || !ownFits(ws, first.amount)) continue;
    return fits(ws, first.amount) ? { ws, first } : undefined;
  }
  return undefined;
};

export const createBudget = ({ bytes, share, patienceMs }: BudgetOptions) => {
  const lines = createLines();
  const holdings = createHoldings(bytes, share);
  const { ownFits, fits, hold, used } = holdings;

  const give = (ws: string, amount: number): Release => {
    hold(ws, amount);
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      hold(ws, -amount);
      if (!lines.isEmpty()) serve();
    };
  };

  const serve = (): void => {
    for (let found = nextIn(lines, holdings); found; found = nextIn(lines, holdings)) {
      const { ws, first } = found;
      lines.leave(ws, first);
      lines.toTheEnd(ws);
      first.grant();
    }
  };

  const wait = (ws: string, amount: number): Promise<Release> =>
    new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        lines.leave(ws, waiting);
        reject(new NoRoom(!ownFits(ws, amount)));
        serve();
      }, patienceMs);
      const waiting: WaitingForRoom = {
        amount,
        grant() {
          clearTimeout(giveUp);
          resolve(give(ws, amount));
        },
      };
      lines.join(ws, waiting);
      serve();
    });

  return {
    /** At once when there is room and no request waits, else within the patience; throws NoRoom. */
    take: (ws: string, amount: number): Release | Promise<Release> =>
      lines.isEmpty() && fits(ws, amount) ? give(ws, amount) : wait(ws, amount),
    /** At once or not at all; throws NoRoom. */
    takeNow(ws: string, amount: number): Release {
      if (!fits(ws, amount)) throw new NoRoom(!ownFits(ws, amount));
      return give(ws, amount);
    },
    used,
  };
};
