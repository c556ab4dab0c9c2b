import { type Operation, operations, Rejection } from '@roster/contract';
import { refusedId } from '@roster/queue';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { writeAnswer } from './answer.ts';
import { dialectAt, rejectionAnswer, spoken } from './dialect.ts';
import { createDocs } from './docs.ts';
import type { Edge } from './edge.ts';
import { createOperationHandler } from './operation-handler.ts';

/** `/requests/{id}` of OpenAPI is `/requests/:id` of Express. */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const refuse =
  (rejection: Rejection): RequestHandler =>
  (request, response) => {
    const dialect = dialectAt(request.path);
    const answer = spoken(rejectionAnswer(rejection, dialect), request, dialect);
    writeAnswer(response, { id: refusedId(), closing: false }, answer);
  };

const addOperations = (app: Express, edge: Edge): void => {
  const methods = new Map<string, Set<string>>();
  for (const operation of operations as readonly Operation[]) {
    const path = expressPath(operation.path);
    app[operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](
      path,
      createOperationHandler(operation, edge),
    );
    methods.set(path, (methods.get(path) ?? new Set()).add(operation.method));
  }
  for (const [path, allowed] of methods) {
    const headers = { Allow: [...allowed].join(', ') };
    app.all(path, refuse(new Rejection('METHOD_NOT_ALLOWED', { headers })));
  }
};

/** Only what Express itself finds wrong comes here (an address that can't be decoded); handlers answer for themselves. */
const lastResort =
  (edge: Edge): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const status = (error as { status?: number }).status ?? 500;
    if (status >= 500) edge.log.error({ err: error }, 'bug');
    const rejection = new Rejection(status < 500 ? 'URL_INVALID' : 'INTERNAL');
    writeAnswer(response, { id: refusedId(), closing: false }, rejectionAnswer(rejection));
  };

export interface Health {
  ready(): Promise<true | string>;
}

const addHealth = (app: Express, { ready }: Health): void => {
  const health = (status: number, body: object): Parameters<typeof writeAnswer>[2] => ({
    status,
    body: JSON.stringify(body),
  });
  app.get('/health/live', (_request, response) => {
    writeAnswer(response, { id: refusedId(), closing: false }, health(200, { status: 'ok' }));
  });
  app.get('/health/ready', async (_request, response) => {
    const verdict = await ready();
    const answer =
      verdict === true
        ? health(200, { status: 'ok' })
        : health(503, { status: 'unavailable', reason: verdict });
    writeAnswer(response, { id: refusedId(), closing: false }, answer);
  });
};

/** The public application: it knows no endpoint, only the table. */
export const createApp = (edge: Edge, health: Health, trustedProxies: string): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  if (trustedProxies) app.set('trust proxy', trustedProxies);
  addOperations(app, edge);
  addHealth(app, health);
  app.use(createDocs());
  app.use(refuse(new Rejection('URL_INVALID')));
  app.use(lastResort(edge));
  return app;
};
