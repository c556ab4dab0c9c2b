/** How many recipients a turn of a lane has. */

/** Where each takes long, as with a costly template, there are fewer the next time: a turn has to end before its lease. */
const rooms = { first: 100, most: 500, aimMs: 500 };

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
    learn(lane: string, ms: number): void {
      const factor = Math.min(2, rooms.aimMs / Math.max(1, ms));
      keep(lane, Math.ceil(roomOf(lane) * factor));
    },
    /** So many have left in a turn, and others have not. */
    shrink(lane: string, left: number): void {
      keep(lane, Math.min(roomOf(lane), left));
    },
  };
};

export type Rooms = ReturnType<typeof createRooms>;
