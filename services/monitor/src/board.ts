/** Bull Board over all queues, for looking only, and for each viewer only what is theirs. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Job, Queue } from 'bullmq';
import type { Express, NextFunction, Request, Response } from 'express';
import { isHidden, maskJob, maskName } from './mask.ts';
import { tell } from './tell.ts';
import type { Viewer } from './viewer.ts';

export const boardPath = '/board';

/** bull-board hands no request to its adapters, so the viewer goes along with the call. */
const seesNothing: Viewer = { isOperator: false, sees: () => false };

/** bull-board reads jobs by `toJSON`; the formatters alone would let reasons and stack traces through. */
const masked = <AnyJob extends Job>(job: AnyJob, viewer: Viewer): AnyJob => {
  const whole = job.toJSON();
  job.toJSON = () => maskJob(whole, viewer) as typeof whole;
  return job;
};

const lookingAt = (queue: Queue, viewer: () => Viewer): BullMQAdapter => {
  const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
  const { getJob, getJobs } = adapter;
  const isTheirs = (job: Job | undefined): job is Job => job !== undefined && !isHidden(job.data, viewer());
  adapter.getJob = async (id) => {
    const job = await getJob.call(adapter, id);
    return isTheirs(job) ? masked(job, viewer()) : undefined;
  };
  adapter.getJobs = async (...asked) =>
    (await getJobs.call(adapter, ...asked)).filter(isTheirs).map((job) => masked(job, viewer()));
  adapter.getJobLogs = async () => [];
  adapter.setFormatter('returnValue', () => null);
  adapter.setFormatter('name', (job) => maskName(job?.name));
  adapter.setFormatter('progress', () => 0);
  return adapter;
};

const uiConfig = {
  boardTitle: 'Roster queues',
  hideDocsLink: true,
  miscLinks: [{ text: 'Sign out', url: '/sign-out' }],
  // Each poll would otherwise ask Redis for all its clients.
  showWorkers: false,
  pollingInterval: { showSetting: true, forceInterval: 0 },
};

/** What bull-board answers by `getJobs` and `getJob`, which are masked. The rest (flows, schedulers, Redis) is for the operator. */
const open = /^\/api\/queues(\/[^/]+\/[^/]+(\/logs)?)?\/?$/;
const closed = /^\/api\/queues\/[^/]+\/(metrics|workers|rate-limit|default-job-options|job-data-schema)\/?$/;

const mayAsk = ({ path }: Request, { isOperator }: Viewer): boolean =>
  isOperator || !path.startsWith('/api/') || (open.test(path) && !closed.test(path));

/** Bull Board's page asks another host for a font, which would tell that host who operates Roster. */
const foreignFont = /<link href="https:[^>]*>/g;

/** Its page says "Loading" until its script has run. */
const withoutScript = `<noscript><style>#root{display:none}</style><main style="padding:1rem">
<p>The board needs JavaScript, and this browser runs none. Allow it for this page, or ask on a server of Roster: <code>roster status</code> says what waits in the queues, <code>roster dead list</code> shows the dead letters.</p>
<p><a href="/">Start page</a></p></main></noscript>`;

/** Ours begins with what waits. */
const withBanner = (response: Response, banner: string): void => {
  const { send } = response;
  response.send = (body) =>
    send.call(
      response,
      typeof body === 'string'
        ? body.replace(foreignFont, '').replace(/<body[^>]*>/, (tag) => tag + banner + withoutScript)
        : body,
    );
};

/** `banner` is for its page. */
export type Board = (
  viewer: Viewer,
  request: Request,
  response: Response,
  next: NextFunction,
  banner: string,
) => void;

export const createBoard = (queues: readonly Queue[]): { show: Board; add(queue: Queue): void } => {
  const looks = new AsyncLocalStorage<Viewer>();
  const viewerNow = (): Viewer => looks.getStore() ?? seesNothing;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  const adapters = queues.map((queue) => lookingAt(queue, viewerNow));
  const { addQueue } = createBullBoard({ queues: adapters, serverAdapter, options: { uiConfig } });
  // An application of its own inside ours.
  const board: Express = serverAdapter.getRouter();
  board.disable('x-powered-by').disable('etag');
  return {
    add: (queue) => addQueue(lookingAt(queue, viewerNow)),
    show(viewer, request, response, next, banner) {
      if (!request.path.startsWith('/api/')) withBanner(response, banner);
      if (mayAsk(request, viewer)) looks.run(viewer, () => board(request, response, next));
      else tell(request, response, 403, 'This part of the board is for the operator of Roster');
    },
  };
};
