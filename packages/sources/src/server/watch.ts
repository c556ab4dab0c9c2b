import { bounds } from '../bounds.ts';
import { createFlow, type Flow, type Valve } from '../flow.ts';
import { bytesOf, type Raw } from '../sql/rows.ts';

/** A query of a driver, which tells its rows one by one. */
export interface Query {
  on(event: string, heard: (told: unknown) => void): unknown;
}

export const isRaw = (row: unknown): row is Raw => Array.isArray(row);

/** What it has in memory: a server may tell a smaller size. */
const sizeOf = (row: Raw): number => {
  let characters = 0;
  for (const cell of row) characters += cell?.length ?? 0;
  return Math.max(characters, bytesOf(row) || 0);
};

/** What ends a connection: told to all who wait for it. `tooMuch` is called when the peer sends without end what is no row; before it has let us in it is a `stranger`. */
export const createWatch = (tooMuch: (is: 'stranger' | 'server') => void) => {
  let failure: unknown;
  let unasked = 0;
  let most: number = bounds.greetingBytes;
  const listeners: ((error: unknown) => void)[] = [];
  const onFailure = (heard: (error: unknown) => void): void => {
    listeners.push(heard);
    if (failure) heard(failure);
  };
  const failed = new Promise<never>((_, reject) => onFailure(reject));
  // Whoever listens hears of it; it may come before anybody does.
  failed.catch(() => {});
  /** It has let us in, or a row has come: what follows is counted anew. */
  const progress = (): void => {
    unasked = 0;
    most = bounds.unaskedBytes;
  };
  return {
    /** The first error counts. */
    fail(error: unknown): void {
      failure ??= error;
      for (const heard of listeners) heard(failure);
    },
    /** Rejects with what ended the connection. */
    failed,
    progress,
    count(data: Buffer): void {
      unasked += data.length;
      if (unasked > most) tooMuch(most === bounds.greetingBytes ? 'stranger' : 'server');
    },
    /** The rows of a query, while the socket is paused whenever enough of them wait. */
    rowsOf(socket: Valve, query: Query, event: string): Flow<Raw> {
      const flow = createFlow<Raw>(socket);
      query.on(event, (row) => {
        progress();
        if (isRaw(row)) flow.push(row, sizeOf(row));
      });
      query.on('error', flow.fail);
      query.on('end', flow.end);
      onFailure(flow.fail);
      return flow;
    },
  };
};
