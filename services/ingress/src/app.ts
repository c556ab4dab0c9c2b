import type { RequestListener, ServerResponse } from 'node:http';
import { type Operation, operations, Rejection } from '@roster/contract';
import { refusedId } from '@roster/queue';
import { callerOf, type Trusts } from '@roster/runtime';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { type AnswerContext, writeAnswer } from './answer.ts';
import { dialectAt, rejectionAnswer, spoken } from './dialect.ts';
import { createDocs, docsPaths } from './docs.ts';
import { isEarly } from './early-answer.ts';
import type { Edge } from './edge.ts';
import { createOperationHandler, type OperationHandler } from './operation-handler.ts';
import { pageInstead } from './page-instead.ts';
import { createStartPage, startScript } from './start-page.ts';

interface Ways {
  handlers: ReadonlyMap<Operation, OperationHandler>;
  trusts: Trusts;
  /** Handles all paths that are not in the table word for word. */
  express: RequestListener;
  /** Answers an unexpected error of a handler; Express has an error handler of its own. */
  bug(error: unknown, response: ServerResponse): void;
}

type ByMethod = Map<string, OperationHandler>;

/** By path, with and without a slash at its end; what has parameters in its path is for Express to take apart. */
const tableOf = (handlers: Ways['handlers']): Map<string, ByMethod> => {
  const table = new Map<string, ByMethod>();
  for (const [{ method, path }, handle] of handlers) {
    if (path.includes('{')) continue;
    for (const spelling of [path, `${path}/`]) {
      table.set(spelling, (table.get(spelling) ?? new Map<string, OperationHandler>()).set(method, handle));
    }
  }
  return table;
};

/** What stands in the table word for word goes past the router of Express: docs/adr/ingress.md says why, with figures. */
const createFastLane = ({ handlers, trusts, express, bug }: Ways): RequestListener => {
  const table = tableOf(handlers);
  return (request, response) => {
    const { method = '', url = '' } = request;
    const query = url.indexOf('?');
    const handle = table.get(query < 0 ? url : url.slice(0, query))?.get(method);
    if (!handle) return express(request, response);
    handle(request, response, callerOf(request, trusts), {}).catch((error) => bug(error, response));
  };
};

/** `/requests/{id}` of OpenAPI is `/requests/:id` of Express. */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Nothing was accepted under this id. */
const askedOf = ({ linger }: Edge): AnswerContext => ({ id: refusedId(), closing: false, linger });

const refuse =
  (edge: Edge, rejection: Rejection): RequestHandler =>
  (request, response) => {
    const dialect = dialectAt(request.path);
    const answer = spoken(rejectionAnswer(rejection, dialect), request, dialect);
    writeAnswer(response, askedOf(edge), pageInstead(answer, request));
  };

/** Pages take no body. */
const refuseBodies = (edge: Edge): RequestHandler => {
  const tooLarge = refuse(edge, new Rejection('BODY_TOO_LARGE'));
  return (request, response, next) => {
    if (isEarly(request, false)) tooLarge(request, response, next);
    else next();
  };
};

const handlersOf = (edge: Edge): Ways['handlers'] =>
  new Map(operations.map((operation: Operation) => [operation, createOperationHandler(operation, edge)]));

const addOperations = (app: Express, handlers: Ways['handlers'], edge: Edge): void => {
  const methods = new Map<string, Set<string>>();
  for (const [operation, handle] of handlers) {
    const path = expressPath(operation.path);
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    app[method](path, (request, response) =>
      handle(request, response, request.ip ?? '', request.params as Record<string, string>),
    );
    methods.set(path, (methods.get(path) ?? new Set()).add(operation.method));
  }
  for (const [path, allowed] of methods) {
    const headers = { Allow: [...allowed].join(', ') };
    app.all(path, refuse(edge, new Rejection('METHOD_NOT_ALLOWED', { headers })));
  }
};

/** Handlers answer for themselves: only what Express finds wrong (a path that can't be decoded) and bugs come here. */
const lastResort =
  (edge: Edge) =>
  (error: unknown, response: ServerResponse): void => {
    const status = (error as { status?: number }).status ?? 500;
    if (status >= 500) edge.log.error({ err: error }, 'unexpected error');
    const rejection = new Rejection(status < 500 ? 'URL_INVALID' : 'INTERNAL');
    writeAnswer(response, askedOf(edge), pageInstead(rejectionAnswer(rejection), response.req));
  };

export interface Health {
  ready(): Promise<true | string>;
}

const addHealth = (app: Express, { ready }: Health, edge: Edge): void => {
  const answer = (response: ServerResponse, verdict: true | string): void => {
    const [status, body] =
      verdict === true ? [200, { status: 'ok' }] : [503, { status: 'unavailable', reason: verdict }];
    const answer = { status, body: JSON.stringify(body) };
    writeAnswer(response, askedOf(edge), pageInstead(answer, response.req));
  };
  app.get('/health/live', (_request, response) => answer(response, true));
  app.get('/health/ready', async (_request, response) => answer(response, await ready()));
};

interface Setting {
  trustedProxies: string;
  boardUrl: string;
}

/** The public application: it knows no endpoint, only the table. */
export const createApp = (
  edge: Edge,
  health: Health,
  { trustedProxies, boardUrl }: Setting,
): RequestListener => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  if (trustedProxies) app.set('trust proxy', trustedProxies);
  const handlers = handlersOf(edge);
  addOperations(app, handlers, edge);
  addHealth(app, health, edge);
  app.get('/', refuseBodies(edge), createStartPage(boardUrl));
  app.get('/start.js', refuseBodies(edge), startScript);
  app.use(docsPaths, refuseBodies(edge)).use(createDocs());
  app.use(refuse(edge, new Rejection('URL_INVALID')));
  const bug = lastResort(edge);
  // Express tells a handler of errors by its four parameters.
  const onError: ErrorRequestHandler = (error, _request, response, _next) => bug(error, response);
  app.use(onError);
  return createFastLane({ handlers, trusts: app.get('trust proxy fn'), express: app, bug });
};
