/** For tests: an HTTP server that judges requests as the ingress does, by the contract, and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Route, routeOf } from '@roster/contract';
import { createJudge, readQuery } from '@roster/judge';

type Operation = Route['operation'];

/** What arrived, as the service would read it. */
export interface Arrived {
  id: string;
  headers: IncomingMessage['headers'];
  params: Route['params'];
  query: unknown;
  body: unknown;
}

export interface Said {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Testbed {
  url: string;
  arrived: Arrived[];
  /** How requests are answered from now on; `hang up` closes the socket, `say nothing` keeps it open. */
  answer(answer: (arrived: Arrived, operation: Operation) => Said | 'hang up' | 'say nothing'): void;
  close(): Promise<void>;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const write = (response: ServerResponse, { status, body, headers }: Said): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const success = (operation: Operation): Said => {
  const example = operation.examples.find(({ response }) => response.status === operation.success);
  return {
    status: operation.success,
    body: operation.success === 204 ? undefined : (example?.response.body ?? {}),
  };
};

export const settings = {
  maxUpdates: 1000,
  blockedExternalIds: new Set<string>(),
  suspiciousExternalIds: new Set<string>(),
  groups: new Map<string, 'email' | 'sms'>(),
  apps: new Set<string>(),
  tags: new Set<string>(),
};

export const judge = createJudge();

const arrivedAt = async (request: IncomingMessage, url: URL) => {
  const route = routeOf(request.method, url.pathname);
  const text = await textOf(request);
  if (!route) throw new Error(`there is no ${request.method} ${url.pathname}`);
  const { operation, params } = route;
  const asked = operation.request.query;
  const arrived: Arrived = {
    id: operation.id,
    headers: request.headers,
    params,
    query: asked && readQuery(asked, url.search),
    body: text === '' ? undefined : JSON.parse(text),
  };
  return { arrived, operation };
};

export const openTestbed = async (): Promise<Testbed> => {
  const all: Arrived[] = [];
  let answer: Parameters<Testbed['answer']>[0] = (_arrived, operation) => success(operation);
  const server = createServer(async (request, response) => {
    const { arrived, operation } = await arrivedAt(request, new URL(request.url ?? '', 'http://localhost'));
    all.push(arrived);
    const said = answer(arrived, operation);
    if (said === 'hang up') request.socket.destroy();
    else if (said !== 'say nothing') write(response, said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived: all,
    answer(given) {
      answer = given;
      all.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
