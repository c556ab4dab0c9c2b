/** Finds jobs that no process has, and runs them; begins those whose time has come. */
import type { WorkspaceSettings } from '@roster/access';
import { startLooking } from '@roster/batch';
import { beginJob, type JudgeRows, type Places } from '@roster/integrations';
import { createTimetable, timetable as timetableQueue } from '@roster/queue';
import { type Config, type Context, environment, giveWay } from '@roster/runtime';
import { createReaders, type ReadersOptions } from '@roster/sources';
import type { SettingsOf, Store } from '@roster/store';
import { createFail, type FailOptions } from './fail.ts';
import { forgetDeleted } from './forget.ts';
import { type Lease, LeaseLost, Stopping } from './lease.ts';
import { createRunJob } from './run.ts';
import type { Sender } from './sender.ts';
import { createTurns, mostJobs } from './turns.ts';

/** What fault tests exchange. */
export interface JobReplacements extends Pick<FailOptions, 'mostTries' | 'firstPauseMs'> {
  leaseMs?: number;
  /** How often schedules are compared with their schedulers. */
  tidyEveryMs?: number;
  /** How long a suspect runs alone. */
  aloneMs?: number;
  /** The processes in which drivers run. */
  apart?: Partial<ReadersOptions>;
}

interface JobsOptions extends JobReplacements {
  store: Store;
  sender: Sender;
  judgeRows: JudgeRows;
  settingsOf: SettingsOf<WorkspaceSettings>;
  places: Places;
}

const usualTidyEveryMs = 15_000;

type IntegrationsContext = Context<Config<'integrations'>>;

type Log = IntegrationsContext['log'];

/** One try of a job. */
const createRun = (
  { log, metrics }: IntegrationsContext,
  options: JobsOptions,
  runJob: (lease: Lease) => Promise<void>,
) => {
  const fail = createFail(options, log);
  const ends = metrics.counter({
    name: 'roster_sync_tries_total',
    help: 'Tries to sync an integration, by how they ended.',
    labels: ['end'],
  });

  return async (lease: Lease): Promise<void> => {
    const { _id: job, ws, integration } = lease.job;
    try {
      await runJob(lease);
      ends.with('finished').inc();
      log.info({ job, ws, integration }, 'a sync has finished');
    } catch (error) {
      const cause = lease.signal.aborted ? lease.signal.reason : error;
      ends.with(cause instanceof LeaseLost ? 'lost' : 'failed').inc();
      await fail(lease, cause).catch((err) => log.warn({ err, job }, 'saving the failure of a sync failed'));
    } finally {
      lease.end();
    }
  };
};

/** They give way: of this process, answers are waited for. */
const readersOf = (log: Log, apart: JobReplacements['apart']) =>
  createReaders({
    env: environment(),
    most: mostJobs,
    onEnd: ({ code, message: reason }, connection) =>
      log.warn({ connection, code, reason }, 'a process that reads for a sync has ended'),
    ...apart,
    onStart(pid) {
      giveWay({ pid });
      apart?.onStart?.(pid);
    },
  });

/** The scheduler of BullMQ names its jobs by when they are due. */
const dueIn = (origin: string): number => Number(origin.slice(origin.lastIndexOf(':') + 1)) || Date.now();

export const startJobs = (context: IntegrationsContext, options: JobsOptions) => {
  const { config, log } = context;
  const { store, leaseMs = 20_000, tidyEveryMs = usualTidyEveryMs, aloneMs, apart } = options;
  const { integrations } = store.syncs;
  const stopping = new AbortController();
  const readers = readersOf(log, apart);
  const runJob = createRunJob({
    ...options,
    sourcesOf: readers.open,
    syncs: () => turns.count(),
  });
  const run = createRun(context, options, runJob);
  const turns = createTurns({
    store,
    leaseMs,
    aloneMs,
    stopping: stopping.signal,
    run,
    onConvicted: ({ job: { _id: job, ws, integration } }) =>
      log.error({ job, ws, integration }, 'a sync ends its process: its integration is paused'),
    onError: (err) =>
      log.warn({ err }, 'writing down that a sync that ended its process runs beside others failed'),
  });

  const table = createTimetable({
    url: config.REDIS_URL,
    queue: timetableQueue,
    run: (integration, origin) =>
      store.transact((session) =>
        beginJob(store, undefined, { integration, origin, n: dueIn(origin) * 1_000, session }),
      ),
    onError: (err) => log.warn({ err }, 'starting a scheduled sync failed'),
  });

  const tidy = async (): Promise<void> => {
    const due = integrations.find(
      { schedule: { $exists: true }, paused: { $exists: false } },
      { projection: { schedule: 1 } },
    );
    const wanted = new Map<string, string>();
    for await (const { _id, schedule } of due) if (schedule !== undefined) wanted.set(_id, schedule);
    await table.hold(wanted);
    await forgetDeleted(store);
  };

  const onError = (err: unknown): void => log.warn({ err }, 'reading due syncs failed');
  const looking = startLooking({ look: turns.look, onError });
  const tidying = startLooking({ look: tidy, onError, everyMs: tidyEveryMs });

  return {
    async stop(): Promise<void> {
      stopping.abort(new Stopping('the process stops'));
      await looking.stop();
      await turns.ended();
      await readers.close();
      await tidying.stop();
      await table.close();
    },
  };
};
