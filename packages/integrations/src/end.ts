/** How a job ends, whoever ends it: its process, or somebody who pauses or changes the integration. */
import type { IntegrationDocument, Session, Store, SyncJobDocument } from '@roster/store';
import { later, readCursor } from './cursor.ts';
import { settingsOf, windowAfter } from './integration.ts';

const keptMs = 30 * 24 * 3600 * 1000;

interface Ending {
  job: string;
  /** Only the process with this number may end it; without it, whoever has it must notice. */
  token?: number;
  /** `finished`: all rows were read, and each was applied or failed. */
  how: 'finished' | 'error' | 'config_error' | 'stopped';
  reason?: string | undefined;
  /** Its cursor is worth nothing any more. */
  anew?: boolean;
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

/** Whether it was the caller who ended it. */
export const endJob = async ({ syncs }: Pick<Store, 'syncs'>, ending: Ending): Promise<boolean> => {
  const { job: _id, token, reason, anew = false, session } = ending;
  const { jobs, integrations } = syncs;
  const running = { _id, state: 'running' as const, ...(token !== undefined && { token }) };
  const job = await jobs.findOne(running, { session });
  if (!job) return false;
  const ended = new Date();
  const state = stateOf(ending, job);
  await jobs.updateOne(
    running,
    {
      $set: {
        state,
        ended,
        expires: new Date(ended.getTime() + keptMs),
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
  const cursor = isOver ? undefined : later(readCursor(integration.cursor), readCursor(job.cursor));
  await integrations.updateOne(
    { _id: integration._id },
    {
      $set: {
        last_state: state,
        state: integrationState(ending, integration),
        ...(cursor && { cursor: JSON.stringify(cursor) }),
        window: windowAfter(job, ended),
      },
      $unset: { job: 1 },
    },
    { session },
  );
  return true;
};
