/** Places at a server. Messages that find none stand in line, and workspaces get free places in turn: a slow server holds up nobody who uses another one, or the same one for another workspace. */
import { createTally } from '@roster/contract';
import { createLine, type Line } from './line.ts';
import type { Answer, Leave } from './outgoing.ts';

/** It may take its time, as with an update of a live activity. */
export const anyTime: Leave = { ws: '', until: Number.POSITIVE_INFINITY };

/** There was no place, or no turn, in time. */
export const unbegun: Answer = { state: 'later', reason: 'no place at the server is free', unbegun: true };

/** A workspace may have so many times as many places as are free: three quarters when it is alone, and there is always a free one for the next workspace. */
const share = 3;

interface ServerPlaces {
  taken: number;
  takenBy: ReturnType<typeof createTally>;
  /** By workspace; the first one in it is the next one. */
  lines: Map<string, Line>;
}

const mayTake = ({ taken, takenBy }: ServerPlaces, ws: string, most: number): boolean =>
  taken < most && takenBy.of(ws) < share * (most - taken);

const change = (server: ServerPlaces, ws: string, by: 1 | -1): void => {
  server.taken += by;
  server.takenBy.add(ws, by);
};

/** At the end of all lines, where nobody of the workspace waits yet. */
const standInLine = ({ lines }: ServerPlaces, { ws, until }: Leave): Promise<boolean> => {
  const line = lines.get(ws) ?? createLine();
  if (line.isEmpty()) lines.delete(ws);
  lines.set(ws, line);
  return line.before(until);
};

/** So many at each server. */
export const createPlaces = (most: number) => {
  const servers = new Map<string, ServerPlaces>();

  /** The first one of each workspace in turn: one that has had its turn comes to the end of the line, and is met there again. */
  const callNext = (server: ServerPlaces): void => {
    for (const [ws, line] of server.lines) {
      const isOver = line.isEmpty();
      if (!isOver && !mayTake(server, ws, most)) continue;
      server.lines.delete(ws);
      if (isOver) continue;
      server.lines.set(ws, line);
      change(server, ws, 1);
      line.callOne();
    }
  };

  const take = async (server: ServerPlaces, leave: Leave): Promise<boolean> => {
    if (performance.now() > leave.until) return false;
    if (!mayTake(server, leave.ws, most)) return standInLine(server, leave);
    change(server, leave.ws, 1);
    return true;
  };

  /** Without a place in time nothing is done. */
  return async <Done>(name: string, leave: Leave, work: () => Promise<Done>): Promise<Done | Answer> => {
    const server = servers.get(name) ?? { taken: 0, takenBy: createTally(), lines: new Map() };
    servers.set(name, server);
    if (!(await take(server, leave))) return unbegun;
    try {
      return await work();
    } finally {
      change(server, leave.ws, -1);
      callNext(server);
      if (server.taken === 0) servers.delete(name);
    }
  };
};
