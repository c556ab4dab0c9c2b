/** The shapes of data integrations: see ../shapes.ts. */
import type { Definition } from '../path.ts';
import { bytes, date, mark, number, optional, text, textOf } from '../paths.ts';
import type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncRowDocument,
} from './documents.ts';

const jobState = textOf({
  running: 'running',
  success: 'success',
  partial: 'partial',
  error: 'error',
  config_error: 'config_error',
});

const integrations: Definition<IntegrationDocument> = {
  _id: text,
  ws: text,
  name: text,
  data: textOf({
    attributes: 'attributes',
    events: 'events',
    purchases: 'purchases',
    deletes: 'deletes',
    subscription_states: 'subscription_states',
  }),
  contacts: text,
  warehouse: text,
  settings: text,
  state: textOf({ draft: 'draft', active: 'active', error: 'error' }),
  paused: optional(mark),
  schedule: optional(text),
  cursor: optional(text),
  floor: optional(text),
  job: optional(text),
  last_began: optional(date),
  last_state: optional(jobState),
  created: number,
  changed: number,
  by: optional(text),
};

const sync_jobs: Definition<SyncJobDocument> = {
  _id: text,
  ws: text,
  integration: text,
  n: number,
  state: jobState,
  began: date,
  ended: optional(date),
  due: optional(date),
  token: number,
  tries: number,
  cursor: optional(text),
  last: optional(text),
  synced: number,
  failed: number,
  rows: number,
  expected: optional(number),
  reason: optional(text),
  expires: optional(date),
};

const sync_chunks: Definition<SyncChunkDocument> = {
  _id: text,
  ws: text,
  integration: text,
  job: text,
  at: number,
  state: textOf({ open: 'open', done: 'done' }),
  op: optional(text),
  body: optional(bytes),
  exact: optional(mark),
  entries: number,
  to: text,
  hashes: bytes,
};

const sync_rows: Definition<SyncRowDocument> = {
  _id: text,
  ws: text,
  integration: text,
  reason: text,
  updated_at: optional(text),
  row: text,
  request: optional(text),
  person: optional(text),
  expires: date,
};

export const integrationShapes = { integrations, sync_jobs, sync_chunks, sync_rows } as const;
