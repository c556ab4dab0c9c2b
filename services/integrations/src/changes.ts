/** POST /cdi/integrations, PATCH and DELETE of one, and the begin of a sync. */
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '@roster/access';
import {
  type ChangedIntegration,
  type IntegrationSettings,
  type NewIntegration,
  Rejection,
} from '@roster/contract';
import {
  beginJob,
  endJob,
  hasTables,
  mostIntegrations,
  newIntegration,
  patternOf,
  settingsOf,
  tableProblem,
} from '@roster/integrations';
import { type IntegrationDocument, idFrom, type Session } from '@roster/store';
import { deedOf, record } from './audit.ts';
import type { IntegrationChange, IntegrationTools } from './handler.ts';
import { integrationIn } from './reads.ts';

const success = { message: 'success' };

const connectionFor = async (
  { connectionOf }: Pick<IntegrationTools, 'connectionOf'>,
  ws: string,
  { connection: id }: Pick<IntegrationSettings, 'connection'>,
): Promise<Connection> => {
  const connection = await connectionOf(ws, id);
  if (!connection) throw new Rejection('CONNECTION_UNKNOWN');
  return connection;
};

export const createIntegration: IntegrationChange = async (request, tools) => async (session) => {
  const { id: origin, ws, at, by } = request;
  const { integrations } = tools.store.syncs;
  const body = request.body as NewIntegration;
  const connection = await connectionFor(tools, ws, body);
  assertTable(connection, body);
  if ((await integrations.countDocuments({ ws }, { session })) >= mostIntegrations)
    throw new Rejection('INTEGRATIONS_FULL');
  const id = idFrom('integration', origin);
  await tools.store.models.integrations.insertOne(newIntegration(body, { id, ws, at, by, connection }), {
    session,
  });
  await record(tools.store, request, { deed: 'created', integration: id }, session);
  return { integration_id: id, ...success };
};

const assertTable = (connection: Connection, settings: IntegrationSettings): void => {
  const message = tableProblem(connection, settings);
  if (message !== undefined) throw new Rejection('INTEGRATION_INVALID', { message });
};

/** Changes after which the tables are judged anew. */
const judged = ['connection', 'table', 'log', 'mode', 'on_removed'] as const;

/** A table does not come along to a connection that has none. What is not changed is not judged: it can be paused. */
const settingsFor = (
  connection: Connection,
  { table, ...others }: IntegrationSettings,
  body: ChangedIntegration,
): IntegrationSettings => {
  const isLeftOut = table === undefined || (!hasTables(connection) && body.table === undefined);
  const settings: IntegrationSettings = isLeftOut ? others : { table, ...others };
  if (judged.some((name) => body[name] !== undefined)) assertTable(connection, settings);
  return settings;
};

/** Rows are others then, or in another order: everything is read anew. */
const ordering = ['connection', 'table', 'mode', 'updated_at', 'identifier', 'key', 'on_removed'] as const;

const isReordered = (before: IntegrationSettings, after: IntegrationSettings): boolean =>
  ordering.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

/** One of a payload and columns takes the place of the other. */
const settingsAfter = (before: IntegrationSettings, change: Partial<IntegrationSettings>) => {
  const { payload: _payload, columns: _columns, ...others } = before;
  const isKept = change.payload === undefined && change.columns === undefined;
  return { ...(isKept ? before : others), ...change };
};

const changesIn = ({
  integration_name: _name,
  contact_emails: _emails,
  paused: _paused,
  ...settings
}: ChangedIntegration): Partial<IntegrationSettings> => settings;

const membersAfter = (
  before: IntegrationDocument,
  body: ChangedIntegration,
  settings: IntegrationSettings,
): Partial<IntegrationDocument> => {
  const schedule = body.schedule && patternOf(body.schedule);
  return {
    ...(body.integration_name !== undefined && { name: body.integration_name }),
    ...(body.contact_emails !== undefined && { contacts: body.contact_emails }),
    ...(schedule !== undefined && { schedule }),
    ...(body.paused === true && { paused: true }),
    settings: JSON.stringify(settings),
    ...(isReordered(settingsOf(before), settings) && { state: 'draft' as const }),
  };
};

/** A change that says what is there already is none. */
const isChange = (
  before: IntegrationDocument,
  { paused, schedule }: ChangedIntegration,
  members: Partial<IntegrationDocument>,
): boolean => {
  const plain = (one: IntegrationDocument) => ({ ...one, settings: settingsOf(one) });
  const isResumed = paused === false && before.paused !== undefined;
  const isUnscheduled = schedule?.every === 'never' && before.schedule !== undefined;
  return isResumed || isUnscheduled || !isDeepStrictEqual(plain(before), plain({ ...before, ...members }));
};

/** A job that runs belongs to the settings of before. */
const stopJob = async (
  { store }: IntegrationTools,
  { job }: IntegrationDocument,
  { anew, paused }: { anew: boolean; paused: boolean },
  session: Session,
): Promise<void> => {
  if (job === undefined || (!anew && !paused)) return;
  const reason = paused ? 'the integration was paused' : 'the settings of the integration were changed';
  await endJob(store, { job, how: 'stopped', reason, anew, session });
};

export const updateIntegration: IntegrationChange = async (request, tools) => async (session) => {
  const { ws, at, by } = request;
  const _id = integrationIn(request);
  const { integrations } = tools.store.syncs;
  const before = await integrations.findOne({ _id, ws }, { session });
  if (!before) throw new Rejection('INTEGRATION_UNKNOWN');
  const body = request.body as ChangedIntegration;
  const changed = settingsAfter(settingsOf(before), changesIn(body));
  const connection = await connectionFor(tools, ws, changed);
  const settings = settingsFor(connection, changed, body);
  const members = membersAfter(before, body, settings);
  if (!isChange(before, body, members)) return success;
  const anew = isReordered(settingsOf(before), settings);
  await stopJob(tools, before, { anew, paused: body.paused === true }, session);
  await tools.store.models.integrations.updateOne(
    { _id },
    {
      $set: {
        ...members,
        warehouse: connection.kind,
        changed: Math.max(before.changed, at),
        ...(anew && { stale: true as const }),
        ...(by !== undefined && { by }),
      },
      $unset: {
        ...(body.paused === false && { paused: 1 as const }),
        ...(body.schedule?.every === 'never' && { schedule: 1 as const }),
        ...(anew && { cursor: 1 as const, floor: 1 as const, window: 1 as const, open: 1 as const }),
      },
    },
    { session },
  );
  const change = { deed: deedOf(body.paused), integration: _id, fields: Object.keys(body).sort() };
  await record(tools.store, request, change, session);
  return success;
};

/** What is kept of its rows goes afterwards: see jobs/forget.ts. */
export const deleteIntegration: IntegrationChange =
  async (request, { store }) =>
  async (session) => {
    const [{ ws }, { syncs }] = [request, store];
    const _id = integrationIn(request);
    const { deletedCount } = await syncs.integrations.deleteOne({ _id, ws }, { session });
    if (deletedCount === 0) throw new Rejection('INTEGRATION_UNKNOWN');
    await syncs.jobs.deleteMany({ integration: _id }, { session });
    await record(store, request, { deed: 'deleted', integration: _id }, session);
    return success;
  };

export const syncIntegration: IntegrationChange =
  async (request, { store }) =>
  async (session) => {
    const { ws, at: n, id: origin } = request;
    const integration = integrationIn(request);
    const begun = await beginJob(store, ws, { integration, origin, n, session });
    if (begun === 'unknown') throw new Rejection('INTEGRATION_UNKNOWN');
    if (begun === 'paused') throw new Rejection('INTEGRATION_PAUSED');
    if (begun === 'running') throw new Rejection('SYNC_RUNNING');
    await record(store, request, { deed: 'synced', integration }, session);
    return success;
  };
