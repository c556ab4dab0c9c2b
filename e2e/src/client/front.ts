/** A server between a client and the service, such as a page has: it serves the page, adds the key, and loses the first answer to each write. */
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { listening, textOf } from '@roster/testkit';

export interface Listening {
  url: string;
  close(): Promise<void>;
}

const listen = async (server: Server): Promise<Listening> => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  return {
    url: await listening(server),
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

/** Takes connections and never answers. */
export const openSilent = (): Promise<Listening> => listen(createTcpServer());

const passedOn = ['authorization', 'content-type', 'idempotency-key', 'prefer', 'x-roster-retry'];
/** Of this connection, or of the body as it came. */
const own = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding']);

const ask = async (
  to: string,
  request: IncomingMessage,
  added: Record<string, string>,
): Promise<Response> => {
  const headers = passedOn.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const { method = 'GET', url = '/' } = request;
  const body = await textOf(request);
  const sent = { ...Object.fromEntries(headers), ...added };
  return fetch(to + url, { method, headers: sent, ...(body !== '' && { body }) });
};

const isFirstWrite = ({ headers }: IncomingMessage): boolean =>
  headers['idempotency-key'] !== undefined && headers['x-roster-retry'] === undefined;

/** With a key it is the server of a page; without one it passes on that of the caller. */
export const openFront = (to: string, { page = '', key }: { page?: string; key?: string } = {}) =>
  listen(
    createServer(async (request, response) => {
      if (request.url === '/page') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
        return;
      }
      const answer = await ask(to, request, key ? { authorization: `Bearer ${key}` } : {});
      const text = await answer.text();
      if (isFirstWrite(request)) {
        response.writeHead(503).end();
        return;
      }
      const headers = [...answer.headers].filter(([name]) => !own.has(name));
      response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
    }),
  );
