/** Data integrations, their jobs, and what is remembered of their rows. Settings and cursors are JSON text: callers choose the names in them. */
import { bytes, type DocumentOf, date, mark, number, optional, text, textOf } from '../shapes/paths.ts';

const jobState = textOf('running', 'success', 'partial', 'error', 'config_error');

const integrations = {
  _id: text,
  ws: text,
  name: text,
  /** What its rows are. */
  data: textOf('attributes', 'events', 'purchases', 'deletes', 'subscription_states'),
  contacts: text,
  /** Kind of the source. */
  warehouse: text,
  settings: text,
  /** `draft` until its source was read once, `error` when the last job did not finish. */
  state: textOf('draft', 'active', 'error'),
  paused: optional(mark),
  /** When it is synced by itself, as a pattern of cron in UTC. */
  schedule: optional(text),
  /** All rows up to here were applied, or failed. */
  cursor: optional(text),
  /** What was applied is remembered from here on: no sync reads what lies before. */
  floor: optional(text),
  /** Seconds by which the next sync reads back, beside those of its settings: transactions may have been open so long when the last one read. */
  window: optional(number),
  /** What is kept of its rows belongs to settings of before: the next job removes it first. */
  stale: optional(mark),
  /** The job that runs. */
  job: optional(text),
  last_began: optional(date),
  last_state: optional(jobState),
  /** Stamps of its creation and its last change, and the id of the key that made it. */
  created: number,
  changed: number,
  by: optional(text),
};

/** A table whose rows are synced. */
export type IntegrationDocument = DocumentOf<typeof integrations>;

const sync_jobs = {
  _id: text,
  ws: text,
  integration: text,
  /** Its place among the jobs of its integration: microseconds since the epoch. */
  n: number,
  state: jobState,
  began: date,
  /** When the oldest transaction of the source began that was open then; or the begin. */
  open: optional(date),
  ended: optional(date),
  /** While it runs: when a process may take it. A process that has it moves this on. */
  due: optional(date),
  /** Counts the processes that took it: only the last one may write. */
  token: number,
  /** Tries in a row that came no further. */
  tries: number,
  /** Of the rows that failed in earlier jobs: they were tried again up to this one. */
  again: optional(text),
  /** Its rows were put into requests up to here. */
  cursor: optional(text),
  /** Of `cursor`. */
  last: optional(text),
  synced: number,
  failed: number,
  /** Number of the next row that fails. */
  rows: number,
  /** In diff mode: rows whose key can't be read, so it is not known which rows are gone. */
  unread: optional(mark),
  expected: optional(number),
  reason: optional(text),
  /** Why the log lacks rows. */
  log_error: optional(text),
  expires: optional(date),
};

/** One sync of an integration. */
export type SyncJobDocument = DocumentOf<typeof sync_jobs>;

const sync_chunks = {
  /** Integration and stamp. */
  _id: text,
  ws: text,
  integration: text,
  job: text,
  /** Stamp of the request. */
  at: number,
  state: textOf('open', 'done'),
  op: optional(text),
  /** The body of the request, while it is not known to be applied. */
  body: optional(bytes),
  /** Numbers in the body are texts: see `packExact` in packages/contract. */
  exact: optional(mark),
  entries: number,
  /** Cursor after its last row. */
  to: text,
  /** By 8 bytes for each row, first those of the entries: rows that are read again are recognized. */
  hashes: bytes,
  /** Of each entry, while the request is not known to be applied: what tells its row from others. JSON text. */
  keys: optional(text),
  /** The same as people read it, where there is a log. JSON text. */
  names: optional(text),
  /** It leaves nothing behind: its rows have failed before, or what is known of them stands in `sync_kept`. */
  again: optional(mark),
  /** Its rows are no longer in the table. */
  removed: optional(mark),
};

/** Rows that became one request, saved before it is sent: whoever takes the job over sends the same request again. */
export type SyncChunkDocument = DocumentOf<typeof sync_chunks>;

const sync_kept = {
  /** Integration and the last key that the run may have. */
  _id: text,
  ws: text,
  integration: text,
  rows: number,
  /** Those of them that are no longer in the table, and were not removed yet. */
  gone: number,
  /** JSON text: a list of keys. */
  keys: text,
  /** 8 bytes of what each row says; zeros when it is gone. */
  hashes: bytes,
  /** JSON text: the identifier of each row's person, or null. Only where rows that are gone are removed. */
  people: optional(text),
};

/** In diff mode: a run of the rows that the table had when it was read last, in the order of their keys. */
export type SyncKeptDocument = DocumentOf<typeof sync_kept>;

const sync_rows = {
  /** Job and number. */
  _id: text,
  ws: text,
  integration: text,
  reason: text,
  updated_at: optional(text),
  row: text,
  request: optional(text),
  /** Identity key or service id of the person that it names. */
  person: optional(text),
  expires: date,
};

/** A row that failed. */
export type SyncRowDocument = DocumentOf<typeof sync_rows>;

/** What a row that failed wanted: it is tried again in each later job, until it succeeds or the row changes. */
const sync_retries = {
  /** Integration and hash of the row. */
  _id: text,
  ws: text,
  integration: text,
  /** What tells the row from others: when it is read with other content, this one is forgotten. */
  key: text,
  /** The same as people read it, where that is another text. */
  name: optional(text),
  updated_at: optional(text),
  /** JSON text, which keeps long numbers. */
  entry: text,
  /** As in `sync_rows`. */
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
};
