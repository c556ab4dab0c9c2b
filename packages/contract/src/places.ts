/** Places for work of one kind. Work that finds none stands in line, and workspaces get free places in turn: what is slow for one workspace holds up no other one. */
import { createTally } from './formats/tally.ts';
import { createLine, type Line } from './line.ts';

/** For whom work is done, and by when (`performance.now()`) it has to have a place. */
export interface Leave {
  ws: string;
  until: number;
}

/** Whether a workspace that holds so many places may have one of those that are free. */
type MayTake = (held: number, free: number) => boolean;

/** A workspace may have so many times as many places as are free: three quarters when it is alone, and there is always a free one for the next workspace. */
const share = 3;
const usualShare: MayTake = (held, free) => held < share * free;

interface Place {
  taken: number;
  takenBy: ReturnType<typeof createTally>;
  /** By workspace; the first one in it is the next one. */
  lines: Map<string, Line>;
}

const change = (place: Place, ws: string, by: 1 | -1): void => {
  place.taken += by;
  place.takenBy.add(ws, by);
};

/** At the end of all lines, where nobody of the workspace waits yet. */
const standInLine = ({ lines }: Place, { ws, until }: Leave): Promise<boolean> => {
  const line = lines.get(ws) ?? createLine();
  if (line.isEmpty()) lines.delete(ws);
  lines.set(ws, line);
  return line.before(until);
};

/** So many under each name. */
export const createPlaces = (most: number, isShare = usualShare) => {
  const places = new Map<string, Place>();

  const mayTake = ({ taken, takenBy }: Place, ws: string): boolean =>
    taken < most && isShare(takenBy.of(ws), most - taken);

  /** The first one of each workspace in turn: one that has had its turn comes to the end of the line, and is met there again. */
  const callNext = (place: Place): void => {
    for (const [ws, line] of place.lines) {
      const isOver = line.isEmpty();
      if (!isOver && !mayTake(place, ws)) continue;
      place.lines.delete(ws);
      if (isOver) continue;
      place.lines.set(ws, line);
      change(place, ws, 1);
      line.callOne();
    }
  };

  const take = async (place: Place, leave: Leave): Promise<boolean> => {
    if (performance.now() > leave.until) return false;
    if (!mayTake(place, leave.ws)) return standInLine(place, leave);
    change(place, leave.ws, 1);
    return true;
  };

  /** Without a place in time nothing is done. */
  return async <Done>(name: string, leave: Leave, work: () => Promise<Done>): Promise<Done | undefined> => {
    const place = places.get(name) ?? { taken: 0, takenBy: createTally(), lines: new Map() };
    places.set(name, place);
    if (!(await take(place, leave))) return undefined;
    try {
      return await work();
    } finally {
      change(place, leave.ws, -1);
      callNext(place);
      if (place.taken === 0) places.delete(name);
    }
  };
};
