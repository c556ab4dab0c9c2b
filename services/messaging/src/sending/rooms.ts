/** How many recipients a turn of a lane has. */

/**
 * Where each takes long, as with a costly template, there are fewer the next time: a turn has to end before its lease. What takes long whatever
 * their number is, as the questions to a slow MongoDB, makes none of them fewer; there are a few more each time, until not all can leave.
 */
const rooms = { first: 100, most: 500, aimMs: 500, slowGrowth: 1.25, shrinkAtMost: 4 };

/** Of a turn: to write the texts of all, and to read and decide whatever is needed besides. */
interface Took {
  writingMs: number;
  preparedMs: number;
}

const mostLanesKept = 10_000;

export const createRooms = () => {
  const kept = new Map<string, number>();
  const roomOf = (lane: string): number => kept.get(lane) ?? rooms.first;
  const keep = (lane: string, room: number): void => {
    if (kept.size >= mostLanesKept) kept.clear();
    kept.set(lane, Math.max(1, Math.min(rooms.most, room)));
  };
  return {
    roomOf,
    learn(lane: string, { writingMs, preparedMs }: Took): void {
      const byWriting = rooms.aimMs / Math.max(1, writingMs);
      const byAll = Math.max(rooms.slowGrowth, rooms.aimMs / Math.max(1, preparedMs));
      keep(lane, Math.ceil(roomOf(lane) * Math.min(2, byWriting, byAll)));
    },
    /**
     * Not all of a turn have left. It falls to a quarter at most: often only what was read before came too late, and where it always does, a
     * few turns lead to one recipient all the same.
     */
    shrink(lane: string, left: number, ofAll: number): void {
      keep(lane, Math.min(roomOf(lane), Math.max(left, Math.floor(ofAll / rooms.shrinkAtMost))));
    },
  };
};

export type Rooms = ReturnType<typeof createRooms>;
