/** Bull Board over all queues, read-only. Each viewer sees only the data of their workspaces. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createBullBoard } from '@bull-board/api';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { Express, NextFunction, Request, Response } from 'express';
import { type Look, lookingAt, seesNothing } from './board-look.ts';
import type { Viewer } from './viewer.ts';

export const boardPath = '/board';

const uiConfig = {
  boardTitle: 'Roster queues',
  hideDocsLink: true,
  miscLinks: [{ text: 'Sign out', url: '/sign-out' }],
  // Each poll would otherwise ask Redis for all its clients.
  showWorkers: false,
  pollingInterval: { showSetting: true, forceInterval: 0 },
};

/** The answers of bull-board come from `getJobs` and `getJob`, which are masked. The rest (flows, schedulers, Redis) is for the operator. */
const open = /^\/api\/queues(\/[^/]+\/[^/]+(\/logs)?)?\/?$/;
const closed = /^\/api\/queues\/[^/]+\/(metrics|workers|rate-limit|default-job-options|job-data-schema)\/?$/;

const mayAsk = ({ path }: Request, { isOperator }: Viewer): boolean =>
  isOperator || !path.startsWith('/api/') || (open.test(path) && !closed.test(path));

export type Board = (viewer: Viewer, request: Request, response: Response, next: NextFunction) => void;

export const createBoard = (queues: readonly Queue[]): Board => {
  const looks = new AsyncLocalStorage<Look>();
  const viewerNow = (): Viewer => looks.getStore()?.viewer ?? seesNothing;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  const adapters = queues.map((queue) => lookingAt(queue, viewerNow));
  createBullBoard({ queues: adapters, serverAdapter, options: { uiConfig } });
  // An application of its own inside ours.
  const board: Express = serverAdapter.getRouter();
  board.disable('x-powered-by').disable('etag');
  return (viewer, request, response, next) => {
    if (mayAsk(request, viewer)) looks.run({ viewer }, () => board(request, response, next));
    else response.status(403).json({ message: 'This part of the board is for the operator of Roster' });
  };
};
