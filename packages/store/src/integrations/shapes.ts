/** The shapes of data integrations: see ../shapes.ts. */
import { bytes, type Definition, date, mark, number, optional, text, textOf } from '../paths.ts';
import type {
  IntegrationDocument,
  SyncChunkDocument,
  SyncJobDocument,
  SyncKeptDocument,
  SyncRetryDocument,
  SyncRowDocument,
} from './documents.ts';

const jobState = textOf('running', 'success', 'partial', 'error', 'config_error');

const integrations: Definition<IntegrationDocument> = {
  _id: text,
  ws: text,
  name: text,
  data: textOf('attributes', 'events', 'purchases', 'deletes', 'subscription_states'),
  contacts: text,
  warehouse: text,
  settings: text,
  state: textOf('draft', 'active', 'error'),
  paused: optional(mark),
  schedule: optional(text),
  cursor: optional(text),
  floor: optional(text),
  window: optional(number),
  stale: optional(mark),
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
  open: optional(date),
  ended: optional(date),
  due: optional(date),
  token: number,
  tries: number,
  again: optional(text),
  cursor: optional(text),
  last: optional(text),
  synced: number,
  failed: number,
  rows: number,
  unread: optional(mark),
  expected: optional(number),
  reason: optional(text),
  log_error: optional(text),
  expires: optional(date),
};

const sync_chunks: Definition<SyncChunkDocument> = {
  _id: text,
  ws: text,
  integration: text,
  job: text,
  at: number,
  state: textOf('open', 'done'),
  op: optional(text),
  body: optional(bytes),
  exact: optional(mark),
  entries: number,
  to: text,
  hashes: bytes,
  keys: optional(text),
  names: optional(text),
  again: optional(mark),
  removed: optional(mark),
};

const sync_kept: Definition<SyncKeptDocument> = {
  _id: text,
  ws: text,
  integration: text,
  rows: number,
  gone: number,
  keys: text,
  hashes: bytes,
  people: optional(text),
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

const sync_retries: Definition<SyncRetryDocument> = {
  _id: text,
  ws: text,
  integration: text,
  key: text,
  name: optional(text),
  updated_at: optional(text),
  entry: text,
  person: optional(text),
  expires: date,
};

export const integrationShapes = {
  integrations,
  sync_jobs,
  sync_chunks,
  sync_kept,
  sync_rows,
  sync_retries,
} as const;
