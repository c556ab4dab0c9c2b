/** Integrations as they are stored: how they are made, and how their jobs begin and end. The service and `roster integration` do both. */
import type { Connection } from '@roster/access';
import { type IntegrationSettings, type NewIntegration, settingsIn } from '@roster/contract';
import {
  expiryOf,
  type IntegrationDocument,
  idFrom,
  type Session,
  type Store,
  type SyncJobDocument,
} from '@roster/store';
import { byService, recordChange } from './audit.ts';
import { isBeyond, later, markOf, readCursor } from './cursor.ts';
import { patternOf } from './schedule.ts';

export const mostIntegrations = 200;

const usualLookBack = 300;

export const settingsOf = ({ settings }: Pick<IntegrationDocument, 'settings'>): IntegrationSettings =>
  JSON.parse(settings);

/** How far back the rows are read again. */
export const lookBackOf = (integration: Pick<IntegrationDocument, 'settings' | 'window'>): number => {
  const { look_back_seconds = usualLookBack } = settingsOf(integration);
  return look_back_seconds + (integration.window ?? 0);
};

/** A transaction that was open when a job began to read may have written rows until the job ended, with the time of its own begin. */
export const windowAfter = ({ open }: Pick<SyncJobDocument, 'open'>, now: Date): number =>
  open ? Math.ceil((now.getTime() - open.getTime()) / 1000) : 0;

/**
 * How far the next job reads back. A job that ended within the window of before has not read the rest of it: transactions that the window was
 * for may have committed there, so it stays.
 */
const lateAfter = (
  { how, integration, job }: Pick<Ending, 'how'> & { integration: IntegrationDocument; job: SyncJobDocument },
  ended: Date,
): { window: number; open: Date | undefined } => {
  const [window, { open }] = [windowAfter(job, ended), job];
  if (how === 'finished' || isBeyond(readCursor(integration.cursor), readCursor(job.cursor)))
    return { window, open };
  const opens = [open, integration.open]
    .flatMap((one) => one ?? [])
    .sort((a, b) => a.getTime() - b.getTime());
  return { window: Math.max(window, integration.window ?? 0), open: opens[0] };
};

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isId = (text: string): boolean => idPattern.test(text);

interface Made {
  id: string;
  ws: string;
  at: number;
  by?: string | undefined;
  connection: Connection;
}

export const newIntegration = (
  body: NewIntegration,
  { id, ws, at, by, connection }: Made,
): IntegrationDocument => {
  const schedule = body.schedule && patternOf(body.schedule);
  return {
    _id: id,
    ws,
    name: body.integration_name,
    data: body.data,
    contacts: body.contact_emails ?? '',
    warehouse: connection.kind,
    settings: JSON.stringify(settingsIn(body)),
    state: 'draft',
    ...(schedule !== undefined && { schedule }),
    created: at,
    changed: at,
    ...(by !== undefined && { by }),
  };
};

export interface Beginning {
  integration: string;
  /** The job's id is made from it. */
  origin: string;
  /** Its place among the jobs of the integration: microseconds since the epoch. */
  n: number;
  session: Session;
}

export type Begun = 'begun' | 'running' | 'unknown' | 'paused';

const isThere = async ({ jobs }: Store['syncs'], _id: string, session: Session): Promise<boolean> =>
  (await jobs.findOne({ _id }, { session, projection: { _id: 1 } })) !== null;

/** At most one job of an integration runs: each begin writes the integration, so of two at once MongoDB lets one through. */
export const beginJob = async (
  { syncs, models }: Pick<Store, 'syncs' | 'models'>,
  ws: string | undefined,
  { integration: _id, origin, n, session }: Beginning,
): Promise<Begun> => {
  const found = await syncs.integrations.findOne({ _id, ...(ws !== undefined && { ws }) }, { session });
  if (!found) return 'unknown';
  const id = idFrom('sync job', origin);
  if (found.job !== undefined && (await isThere(syncs, found.job, session))) return 'running';
  if (found.paused) return 'paused';
  if (await isThere(syncs, id, session)) return 'begun';
  const began = new Date();
  const job: SyncJobDocument = {
    _id: id,
    ws: found.ws,
    integration: _id,
    n,
    state: 'running',
    began,
    due: began,
    token: 0,
    tries: 0,
    synced: 0,
    failed: 0,
    rows: 0,
  };
  await models.sync_jobs.insertOne(job, { session });
  await models.integrations.updateOne(
    { _id },
    { $set: { job: id, last_began: began, last_state: 'running' } },
    { session },
  );
  return 'begun';
};

interface Ending {
  job: string;
  /** Only the process with this number may end it; without it, whoever has it must notice. */
  token?: number;
  /** `finished`: all rows were read, and each was applied or failed. */
  how: 'finished' | 'error' | 'config_error' | 'stopped';
  reason?: string | undefined;
  /** Its cursor is worth nothing any more. */
  anew?: boolean;
  /** No other job begins before somebody has resumed the integration. */
  pauses?: boolean;
  session: Session;
}

const stateOf = ({ how }: Ending, { failed }: SyncJobDocument): SyncJobDocument['state'] => {
  if (how === 'finished') return failed > 0 ? 'partial' : 'success';
  return how === 'stopped' ? 'error' : how;
};

const integrationState = ({ how }: Ending, { state }: IntegrationDocument): IntegrationDocument['state'] => {
  if (how === 'finished') return 'active';
  return how === 'stopped' || state === 'draft' ? state : 'error';
};

/** How a job ends, whoever ends it: its process, or somebody who pauses or changes the integration. Says whether it was the caller. */
export const endJob = async (
  { syncs, models, audit }: Pick<Store, 'syncs' | 'models' | 'audit'>,
  ending: Ending,
): Promise<boolean> => {
  const { job: _id, token, how, reason, anew = false, pauses = false, session } = ending;
  const { jobs, integrations } = syncs;
  const running = { _id, state: 'running' as const, ...(token !== undefined && { token }) };
  const job = await jobs.findOne(running, { session });
  if (!job) return false;
  const ended = new Date();
  const state = stateOf(ending, job);
  await models.sync_jobs.updateOne(
    running,
    {
      $set: {
        state,
        ended,
        expires: expiryOf(ended, 30),
        ...(reason !== undefined && { reason }),
      },
      $unset: { due: 1 as const, ...(reason === undefined && { reason: 1 as const }) },
    },
    { session },
  );
  const integration = await integrations.findOne({ _id: job.integration, job: _id }, { session });
  if (!integration) return true;
  // In diff mode each job reads the whole table.
  const isOver = anew || settingsOf(integration).mode === 'diff';
  const cursor = isOver ? undefined : later(readCursor(integration.cursor), markOf(job));
  const { window, open } = lateAfter({ how, integration, job }, ended);
  if (pauses) {
    const paused = { deed: 'paused', integration: integration._id, ws: job.ws, ...byService } as const;
    await recordChange({ audit }, { ...paused, at: ended.getTime() * 1_000 }, session);
  }
  await models.integrations.updateOne(
    { _id: integration._id },
    {
      $set: {
        last_state: state,
        state: integrationState(ending, integration),
        ...(pauses && { paused: true as const }),
        ...(cursor && { cursor: JSON.stringify(cursor) }),
        window,
        ...(open && { open }),
      },
      $unset: { job: 1 },
    },
    { session },
  );
  return true;
};
