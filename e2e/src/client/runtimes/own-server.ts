/** The server of a page: it serves the page, and passes its requests on to the service with the key, which the browser never has. */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

/** Takes connections and never answers. */
export const openSilent = (): Promise<Listening> => listen(createTcpServer());

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const passed = ['content-type', 'idempotency-key', 'prefer'];

const ask = async (to: string, key: string, request: IncomingMessage): Promise<Response> => {
  const headers = passed.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const { method = 'GET', url = '/' } = request;
  const body = await bytesOf(request);
  return fetch(to + url, {
    method,
    headers: [...headers, ['authorization', `Bearer ${key}`]],
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
};

export const openOwnServer = (page: string, to: string, key: string): Promise<Listening> =>
  listen(
    createServer(async (request, response) => {
      if (request.url === '/page') {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
        return;
      }
      const answer = await ask(to, key, request);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    }),
  );
