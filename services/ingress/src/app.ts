import type { RequestListener } from 'node:http';
import { type Operation, operations, Rejection } from '@roster/contract';
import express, { type Express } from 'express';
import { writeAnswer } from './answer.ts';
import { createDocs, docsPaths } from './docs.ts';
import type { Edge } from './edge.ts';
import { createFastLane, type Ways } from './fast-lane.ts';
import { createOperationHandler } from './operation-handler.ts';
import { asErrorHandler, askedOf, lastResort, refuse, refuseBodies } from './refuse.ts';

/** `/requests/{id}` of OpenAPI is `/requests/:id` of Express. */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

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

export interface Health {
  ready(): Promise<true | string>;
}

const addHealth = (app: Express, { ready }: Health, edge: Edge): void => {
  const health = (status: number, body: object): Parameters<typeof writeAnswer>[2] => ({
    status,
    body: JSON.stringify(body),
  });
  app.get('/health/live', (_request, response) => {
    writeAnswer(response, askedOf(edge), health(200, { status: 'ok' }));
  });
  app.get('/health/ready', async (_request, response) => {
    const verdict = await ready();
    const answer =
      verdict === true
        ? health(200, { status: 'ok' })
        : health(503, { status: 'unavailable', reason: verdict });
    writeAnswer(response, askedOf(edge), answer);
  });
};

/** The public application: it knows no endpoint, only the table. */
export const createApp = (edge: Edge, health: Health, trustedProxies: string): RequestListener => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  if (trustedProxies) app.set('trust proxy', trustedProxies);
  const handlers = handlersOf(edge);
  addOperations(app, handlers, edge);
  addHealth(app, health, edge);
  app.use(docsPaths, refuseBodies(edge)).use(createDocs());
  app.use(refuse(edge, new Rejection('URL_INVALID')));
  const bug = lastResort(edge);
  app.use(asErrorHandler(bug));
  return createFastLane({ handlers, trusts: app.get('trust proxy fn'), express: app, bug });
};
