/** Why requests about data integrations are refused. The first four sentences are those of the interface. A part of the catalogue in rejections.ts. */
import { type RejectionEntry, refused, rejected } from './rejection-entry.ts';

export const integrationRejections = {
  INTEGRATION_CURSOR_INVALID: refused(
    'Invalid cursor',
    '`cursor` is not one that a `Link` has shown.',
    'Send it as it was, or leave it out for the first page.',
  ),
  INTEGRATION_ID_INVALID: refused(
    'Invalid integration ID',
    'The id in the path is none; where jobs are listed, also one that the workspace does not have.',
    'Use an `integration_id` that `GET /cdi/integrations` shows.',
  ),
  INTEGRATION_UNKNOWN: rejected(404)(
    'Integration not found',
    'The workspace has no integration with this id.',
    'Use an `integration_id` that `GET /cdi/integrations` shows.',
  ),
  SYNC_RUNNING: rejected(429)(
    'Another job is in progress',
    'A job of this integration runs: there is one at a time.',
    'Wait until `job_sync_status` shows that it has ended.',
  ),
  SYNC_JOB_UNKNOWN: rejected(404)(
    'Job not found',
    'The integration has no job with this id, or it ended more than 30 days ago.',
    'Use a `job_id` that `job_sync_status` shows.',
  ),
  INTEGRATION_PAUSED: refused(
    'The integration is paused',
    'A paused integration is not synced.',
    'Resume it: PATCH with `"paused": false`.',
  ),
  INTEGRATION_INVALID: refused(
    'The settings of the integration do not go together',
    'A member excludes another or needs one. The message says which.',
    'Correct what the message names.',
  ),
  CONNECTION_UNKNOWN: refused(
    'The workspace has no such connection',
    'The settings of the workspace have no connection with this id.',
    'Use a connection of `integrations.connections` in the settings of the workspace.',
  ),
  INTEGRATIONS_FULL: refused(
    'The workspace has as many integrations as it may have',
    'A workspace may have 200 data integrations.',
    'Delete those that are not needed.',
  ),
} as const satisfies Record<string, RejectionEntry>;
