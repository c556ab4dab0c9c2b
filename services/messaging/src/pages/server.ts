/**
 * The server of the pages: its own port, apart from the interface. Those who come here have no key and may be anybody, so it has its own bounds on
 * connections, bytes and time (bounds.ts), and reaches nothing but the pages.
 */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { householdOf, listen, trustsOf } from '@roster/runtime';
import { type AppOptions, createApp } from './app.ts';
import {
  createPlaces,
  createWaiting,
  type PageBounds,
  type Places,
  takeFrom,
  usualBounds,
} from './bounds.ts';

export interface PageServerOptions extends AppOptions {
  host: string;
  port: number;
  bounds?: Partial<PageBounds>;
  now?(): number;
}

/** The headers, with the URL, have 16 KB. */
const serverOptions = ({ headersWithinMs, bodyWithinMs }: PageBounds) => ({
  headersTimeout: headersWithinMs,
  requestTimeout: headersWithinMs + bodyWithinMs,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
});

/** A connection beyond the bounds is closed before a byte of it is read. One without a request gives way to a newcomer; those of a proxy are of many people, and stay. */
const boundConnections = (server: Server, places: Places, trustedProxies: string): void => {
  const trusts = trustsOf(trustedProxies);
  const waiting = createWaiting();
  const idle = new WeakMap<Socket, { over(): void; again(): void }>();

  const keep = (socket: Socket, who: string, leave: () => void): void => {
    const wait = () =>
      waiting.add(who, () => {
        over();
        leave();
        socket.destroy();
      });
    let over = wait();
    idle.set(socket, {
      over: () => over(),
      again: () => {
        if (!socket.destroyed) over = wait();
      },
    });
    socket.once('close', () => over());
  };

  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress;
    const who = peer === undefined || trusts(peer, 0) ? undefined : householdOf(peer);
    const leave = peer === undefined ? undefined : takeFrom(places, waiting, who);
    if (!leave) return void socket.destroy();
    socket.once('close', leave);
    if (who !== undefined) keep(socket, who, leave);
  });
  server.on('request', ({ socket }, response) => {
    idle.get(socket)?.over();
    response.once('close', () => idle.get(socket)?.again());
  });
};

/** Places that are all taken and come free again are a rush, and visitors get pages. Where none comes free, nobody does. */
const stuckIn = (places: Readonly<Record<string, Places>>, { stuckAfterMs }: PageBounds): string[] =>
  Object.entries(places).flatMap(([what, { stuckMs }]) =>
    stuckMs() > stuckAfterMs
      ? [`the pages do not answer: all ${what} are taken, and none has ended for ${stuckMs() / 1000} s`]
      : [],
  );

export const startPageServer = async (options: PageServerOptions) => {
  const bounds = { ...usualBounds, ...options.bounds };
  const { now = Date.now } = options;
  const connections = createPlaces({ ...bounds.connections, now });
  const working = createPlaces({ ...bounds.working, now });
  const ready = async (): Promise<true | string> => {
    const [stuck] = stuckIn({ connections, 'places for pages': working }, bounds);
    return stuck ?? options.ready();
  };
  const server = createServer(serverOptions(bounds), createApp({ ...options, ready }, bounds, working));
  server.on('request', ({ socket }, response) => {
    const timer = setTimeout(() => socket.destroy(), bounds.exchangeWithinMs);
    response.once('close', () => clearTimeout(timer));
  });
  boundConnections(server, connections, options.trustedProxies);
  const port = await listen(server, options.port, options.host);
  return {
    port,
    /** What the options say, and whether this port answers. */
    ready,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), bounds.pageWithinMs).unref();
      }),
  };
};

export type PageServer = Awaited<ReturnType<typeof startPageServer>>;
