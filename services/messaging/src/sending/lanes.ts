/** Finds what is due and gives every lane its turns: a slow provider or a large delivery holds up nobody else. */
import { startLooking } from '@roster/batch';
import type { Store } from '@roster/store';
import { usualLostAfterMs } from './next.ts';
import { createSuspects } from './suspects.ts';
import { idle, type Turns, workspaceOf } from './turn.ts';
import { createWindUp } from './wind-up.ts';

/** Turns whose messages have not all left: in all, and of one lane. What only waits for answers counts no more. */
const most = { turns: 16, ofLane: 3 };

/** After an error the deliveries of a lane are taken one by one for so long: one of them may be at fault. */
const aloneMs = 60_000;

/** Stands for theirs while they wait for answers. */
const suspectLane = 'suspects';

interface LanesOptions {
  store: Store;
  fire(): Promise<number>;
  turns: Turns;
  lostAfterMs?: number;
  /** A delivery is given up: it ended its process each time. */
  onConvicted(id: string): void;
  onError(error: unknown): void;
  lookEveryMs?: number;
}

/** A workspace may have as many turns as are free, so there is always a free one for the next workspace. */
const hasRoom = (turns: readonly string[], lane: string): boolean =>
  turns.filter((one) => one === lane).length < most.ofLane &&
  turns.filter((one) => workspaceOf(one) === workspaceOf(lane)).length < most.turns - turns.length;

export const startLanes = ({
  store,
  fire,
  turns: { turn, turnOf },
  lostAfterMs = usualLostAfterMs,
  onConvicted,
  onError,
  lookEveryMs,
}: LanesOptions) => {
  const { deliveries } = store.messages;
  const suspects = createSuspects({ store, leaseMs: lostAfterMs / 2, turn: turnOf, onConvicted });
  const windUp = createWindUp({ store, lostAfterMs });
  /** The lanes of the turns whose results are not all there. */
  const under: string[] = [];
  /** The lanes of the turns that count. */
  const turns: string[] = [];
  const beginning = new Set<string>();
  const aloneUntil = new Map<string, number>();
  let turned = 0;

  const mayBegin = (lane: string): boolean => !beginning.has(lane) && hasRoom(turns, lane);

  const end = (lane: string): void => {
    under.splice(under.indexOf(lane), 1);
  };

  const left = (lane: string): void => {
    turns.splice(turns.indexOf(lane), 1);
    looking.wake();
  };

  const isAlone = (lane: string): boolean => (aloneUntil.get(lane) ?? 0) > performance.now();

  const run = async (lane: string): Promise<void> => {
    beginning.add(lane);
    turns.push(lane);
    under.push(lane);
    const begun = await turn(lane, isAlone(lane) ? 1 : undefined).catch(() => {
      // The turn has told of it.
      aloneUntil.set(lane, performance.now() + aloneMs);
      return idle;
    });
    beginning.delete(lane);
    void begun.left.then(() => left(lane));
    void begun.ended.then(() => end(lane));
    if (!begun.isIdle) looking.wake();
  };

  const look = async (isStopped: () => boolean): Promise<void> => {
    if (await suspects.areDue()) {
      // Nothing else begins until they have had their turn alone.
      if (turns.length > 0) return;
      const { ended } = await suspects.tryNext();
      under.push(suspectLane);
      void ended.catch(onError).finally(() => end(suspectLane));
    }
    while ((await fire()) > 0 && !isStopped());
    if (await windUp()) looking.wake();
    const lanes = await deliveries.distinct('lane', { due: { $lte: new Date() } });
    // Not always the same ones first.
    const first = lanes.length > 0 ? turned++ % lanes.length : 0;
    for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) if (mayBegin(lane)) void run(lane);
  };

  const looking = startLooking({
    look,
    onError,
    under,
    ...(lookEveryMs !== undefined && { everyMs: lookEveryMs }),
  });
  return { stop: looking.stop };
};
