/** Ends an HTTP server: requests at work are finished, and no caller can hold the stop up for as long as they like. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Patience {
  /** After so long, `hurry` is called once. */
  hurryMs: number;
  /** After so long, all connections are cut off. */
  cutMs: number;
}

export const createClosing = (server: Server, { hurryMs, cutMs }: Patience) => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  return async (hurry: () => void): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    // Node closes connections that are idle after a request, not those on which nothing was sent yet.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    const timers = [setTimeout(hurry, hurryMs), setTimeout(() => server.closeAllConnections(), cutMs)];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  };
};

export type CloseServer = ReturnType<typeof createClosing>;
