/** Data integrations, their jobs, and what is remembered of their rows. Settings and cursors are JSON text: callers choose the names in them. */

/** A table whose rows are synced. */
export interface IntegrationDocument {
  _id: string;
  ws: string;
  name: string;
  /** What its rows are. */
  data: 'attributes' | 'events' | 'purchases' | 'deletes' | 'subscription_states';
  contacts: string;
  /** Kind of the source. */
  warehouse: string;
  settings: string;
  /** `draft` until its source was read once, `error` when the last job did not finish. */
  state: 'draft' | 'active' | 'error';
  paused?: true;
  /** When it is synced by itself, as a pattern of cron in UTC. */
  schedule?: string;
  /** All rows up to here were applied, or failed. */
  cursor?: string;
  /** What was applied is remembered from here on: no sync reads what lies before. */
  floor?: string;
  /** Seconds by which the next sync reads back, beside those of its settings: transactions may have been open so long when the last one read. */
  window?: number;
  /** What is kept of its rows belongs to settings of before: the next job removes it first. */
  stale?: true;
  /** The job that runs. */
  job?: string;
  last_began?: Date;
  last_state?: SyncJobDocument['state'];
  /** Stamps of its creation and its last change, and the id of the key that made it. */
  created: number;
  changed: number;
  by?: string;
}

/** One sync of an integration. */
export interface SyncJobDocument {
  _id: string;
  ws: string;
  integration: string;
  /** Its place among the jobs of its integration: microseconds since the epoch. */
  n: number;
  state: 'running' | 'success' | 'partial' | 'error' | 'config_error';
  began: Date;
  /** When the oldest transaction of the source began that was open then; or the begin. */
  open?: Date;
  ended?: Date;
  /** While it runs: when a process may take it. A process that has it moves this on. */
  due?: Date;
  /** Counts the processes that took it: only the last one may write. */
  token: number;
  /** Tries in a row that came no further. */
  tries: number;
  /** Of the rows that failed in earlier jobs: they were tried again up to this one. */
  again?: string;
  /** Its rows were put into requests up to here. */
  cursor?: string;
  /** Of `cursor`. */
  last?: string;
  synced: number;
  failed: number;
  /** Number of the next row that fails. */
  rows: number;
  /** In diff mode: rows whose key can't be read, so it is not known which rows are gone. */
  unread?: true;
  expected?: number;
  reason?: string;
  /** Why the log lacks rows. */
  log_error?: string;
  expires?: Date;
}

/** Rows that became one request, saved before it is sent: whoever takes the job over sends the same request again. */
export interface SyncChunkDocument {
  /** Integration and stamp. */
  _id: string;
  ws: string;
  integration: string;
  job: string;
  /** Stamp of the request. */
  at: number;
  state: 'open' | 'done';
  op?: string;
  /** The body of the request, while it is not known to be applied. */
  body?: Buffer;
  /** Numbers in the body are texts: see `packExact` in packages/contract. */
  exact?: true;
  entries: number;
  /** Cursor after its last row. */
  to: string;
  /** By 8 bytes for each row, first those of the entries: rows that are read again are recognized. */
  hashes: Buffer;
  /** Of each entry, while the request is not known to be applied: what tells its row from others. JSON text. */
  keys?: string;
  /** The same as people read it, where there is a log. JSON text. */
  names?: string;
  /** It leaves nothing behind: its rows have failed before, or what is known of them stands in `sync_kept`. */
  again?: true;
  /** Its rows are no longer in the table. */
  removed?: true;
}

/** In diff mode: a run of the rows that the table had when it was read last, in the order of their keys. */
export interface SyncKeptDocument {
  /** Integration and the last key that the run may have. */
  _id: string;
  ws: string;
  integration: string;
  rows: number;
  /** Those of them that are no longer in the table, and were not removed yet. */
  gone: number;
  /** JSON text: a list of keys. */
  keys: string;
  /** 8 bytes of what each row says; zeros when it is gone. */
  hashes: Buffer;
  /** JSON text: the identifier of each row's person, or null. Only where rows that are gone are removed. */
  people?: string;
}

/** What a row that failed wanted: it is tried again in each later job, until it succeeds or the row changes. */
export interface SyncRetryDocument {
  /** Integration and hash of the row. */
  _id: string;
  ws: string;
  integration: string;
  /** What tells the row from others: when it is read with other content, this one is forgotten. */
  key: string;
  /** The same as people read it, where that is another text. */
  name?: string;
  updated_at?: string;
  /** JSON text, which keeps long numbers. */
  entry: string;
  /** As in `SyncRowDocument`. */
  person?: string;
  expires: Date;
}

/** A row that failed. */
export interface SyncRowDocument {
  /** Job and number. */
  _id: string;
  ws: string;
  integration: string;
  reason: string;
  updated_at?: string;
  row: string;
  request?: string;
  /** Identity key or service id of the person that it names. */
  person?: string;
  expires: Date;
}
