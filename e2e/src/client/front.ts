/** A server between a client and the service, such as a page has: it serves the page, adds the key, and loses the first answer to each write. */
import type { IncomingMessage } from 'node:http';
import { openServer, textOf } from '@roster/testkit';

export type Listening = Awaited<ReturnType<typeof openServer>>;

/** Takes requests and never answers. */
export const openSilent = (): Promise<Listening> => openServer(() => {});

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
  openServer(async (request, response) => {
    if (request.url === '/page') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const answer = await ask(to, request, key ? { authorization: `Bearer ${key}` } : {});
    const text = await answer.text();
    if (isFirstWrite(request)) return response.writeHead(503).end();
    const headers = [...answer.headers].filter(([name]) => !own.has(name));
    return response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
  });
