/** For tests: an HTTP server that judges requests as the ingress does, by the contract, and answers as it is told. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Route, routeOf } from '@roster/contract';
import { aJudgeSettings, createLateJudge, readQuery } from '@roster/judge';
import { openServer, textOf } from '@roster/testkit';
import { Roster } from './index.ts';

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

/** `hang up` closes the socket, `say nothing` keeps it open. */
type Answering = (arrived: Arrived, operation: Operation) => Said | 'hang up' | 'say nothing';

const write = (response: ServerResponse, { status, body, headers }: Said): void => {
  // As the service does; what stands in between is played by bare servers in the tests.
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const success = (operation: Operation): Said => {
  const example = operation.examples.find(({ response }) => response.status === operation.success);
  return {
    status: operation.success,
    body: operation.success === 204 ? undefined : (example?.response.body ?? {}),
  };
};

export const settings = aJudgeSettings({
  maxUpdates: 1000,
  groups: new Map(),
  apps: new Set(),
  tags: new Set(),
});

export const judge = createLateJudge();

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

export const openTestbed = async () => {
  const all: Arrived[] = [];
  let answer: Answering = (_arrived, operation) => success(operation);
  const { url, close } = await openServer(async (request, response) => {
    const { arrived, operation } = await arrivedAt(request, new URL(request.url ?? '', 'http://localhost'));
    all.push(arrived);
    const said = answer(arrived, operation);
    if (said === 'hang up') request.socket.destroy();
    else if (said !== 'say nothing') write(response, said);
  });
  return {
    url,
    arrived: all,
    /** How requests are answered from now on. */
    answer(given: Answering) {
      answer = given;
      all.length = 0;
    },
    close,
  };
};

type Options = Partial<ConstructorParameters<typeof Roster>[0]>;

/** For the tests of a file, with a client of it; filled in before the first of them. */
export const useTestbed = (options: Options = {}) => {
  const used = {} as Awaited<ReturnType<typeof openTestbed>> & { roster: Roster };
  beforeAll(async () => {
    const opened = await openTestbed();
    Object.assign(used, opened, { roster: new Roster({ url: opened.url, key: 'k', ...options }) });
  });
  afterAll(() => used.close());
  return used;
};
