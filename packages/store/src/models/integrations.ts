/** Data integrations, their jobs, and what is remembered of their rows. Settings and cursors are JSON text: callers choose the names in them. */
import { atExpiry, by, collection, type DocumentIn, partialBy } from './collection.ts';
import { bytes, date, mark, number, optional, text, textOf } from './members.ts';

const jobState = textOf('running', 'success', 'partial', 'error', 'config_error');

export const integrations = collection(
  () => ({
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
    /** When it is synced automatically, as a pattern of cron in UTC. */
    schedule: optional(text),
    /** All rows up to this place were applied, or failed. */
    cursor: optional(text),
    /** Applied rows are remembered from this place on; no sync reads earlier rows. */
    floor: optional(text),
    /** How many seconds the next sync reads back, in addition to those of its settings: the age of the oldest transaction at the last read. */
    window: optional(number),
    /** No transaction that may still commit rows before the window began earlier, as far as its source has told. */
    open: optional(date),
    /** The last ways in which columns were mapped, each with its name: rows that are known are compared as they were mapped then. JSON text. */
    layouts: optional(text),
    /** The kept state of its rows belongs to earlier settings: the next job removes it first. */
    stale: optional(mark),
    /** The job that runs. */
    job: optional(text),
    last_began: optional(date),
    last_state: optional(jobState),
    /** Stamps of its creation and its last change, and the id of the key that made it. */
    created: number,
    changed: number,
    by: optional(text),
  }),
  {
    by_workspace: by(['ws', 'created'], 'The integrations of a workspace, page by page.'),
    by_schedule: partialBy(
      ['schedule'],
      'The integrations that are synced by themselves: their schedulers are compared with Redis.',
    ),
  },
);

/** A table whose rows are synced. */
export interface IntegrationDocument extends DocumentIn<typeof integrations> {}

export const syncJobs = collection(
  () => ({
    _id: text,
    ws: text,
    integration: text,
    /** Its place among the jobs of its integration: microseconds since the epoch. */
    n: number,
    state: jobState,
    began: date,
    /** When the oldest open transaction of the source began at that time; or the begin of the job. */
    open: optional(date),
    /** Then, where moments have no zone: the earliest that it may have been for those who write. */
    now: optional(text),
    ended: optional(date),
    /** While it runs: when a process may take it. The process that has it moves this time on. */
    due: optional(date),
    /** How often a process took it: only the last process may write. */
    token: number,
    /** Tries in a row without progress. */
    tries: number,
    /** Turns that came to no end: their process has ended. */
    taken: optional(number),
    /** Rows that failed in earlier jobs were tried again up to this one. */
    again: optional(text),
    /** Rows up to this place are in requests. */
    cursor: optional(text),
    /** Of `cursor`. */
    last: optional(text),
    synced: number,
    failed: number,
    /** The number of the next failed row. */
    rows: number,
    /** In diff mode: rows with an unreadable key, so it is not known which rows are gone. */
    unread: optional(mark),
    expected: optional(number),
    /** Rows that were not read: those without a time, and those of new files with a time before the window. */
    timeless: optional(number),
    /** Those without a time could not be counted. */
    uncounted: optional(mark),
    late: optional(number),
    reason: optional(text),
    /** Why rows are missing in the log. */
    log_error: optional(text),
    expires: optional(date),
  }),
  {
    by_integration: {
      key: { integration: 1, n: -1 },
      reason: 'The jobs of an integration, page by page.',
    },
    by_due: partialBy(['due'], 'The jobs that run, and that no process has.'),
    by_expiry: atExpiry('Removes jobs 30 days after their end.'),
  },
);

/** One sync of an integration. */
export interface SyncJobDocument extends DocumentIn<typeof syncJobs> {}

export const syncChunks = collection(
  () => ({
    /** Integration and stamp. */
    _id: text,
    ws: text,
    integration: text,
    job: text,
    /** Stamp of the request. */
    at: number,
    /** Id of the request: it stays the same when the secret that makes ids is exchanged. */
    request: optional(text),
    state: textOf('open', 'done'),
    op: optional(text),
    /** The body of the request, until the request is known to be applied. */
    body: optional(bytes),
    /** Numbers in the body are texts: see `packExact` in packages/contract. */
    exact: optional(mark),
    entries: number,
    /** Cursor after its last row. */
    to: text,
    /** A digest of 8 bytes for each row, those of the entries first: rows that are read again are recognised by it. */
    hashes: bytes,
    /** For each of these 8 bytes of the key and the time of its row. An earlier version did not save them. */
    ids: optional(bytes),
    /** How its columns were mapped: a name in `layouts` of the integration. */
    layout: optional(text),
    /** For each entry, until the request is known to be applied: the identity of its row. JSON text. */
    keys: optional(text),
    /** The same in a form for people, if there is a log. JSON text. */
    names: optional(text),
    /** The chunk leaves nothing behind: its rows have failed before, or are known in `sync_kept`. */
    again: optional(mark),
    /** Its rows are no longer in the table. */
    removed: optional(mark),
  }),
  {
    by_state: by(
      ['integration', 'state', 'at'],
      'The requests of an integration that are not known to be applied, and what is remembered of its rows.',
    ),
  },
);

/** Rows that became one request, saved before it is sent: a process that takes the job over sends the same request again. */
export interface SyncChunkDocument extends DocumentIn<typeof syncChunks> {}

export const syncKept = collection(
  () => ({
    /** Integration, and the last key that the range may hold. */
    _id: text,
    ws: text,
    integration: text,
    rows: number,
    /** The number of rows that are gone from the table. */
    gone: number,
    /** JSON text: a list of keys. */
    keys: text,
    /** A digest of 8 bytes for each row, also when it is gone. */
    hashes: bytes,
    /** If rows are gone: for each row the day since which it is, in 2 bytes, counted from 1970; zero when it is there. */
    went: optional(bytes),
    /** As in `sync_chunks`. */
    layout: optional(text),
    /** If the columns of some rows were mapped in other ways: for each of these ways the places of its rows. JSON text. */
    others: optional(text),
    /** JSON text: the identifier of each row's person, or null. Only if rows that are gone are removed. */
    people: optional(text),
  }),
  {
    by_gone: by(
      ['integration', 'gone'],
      'What is kept of the rows of an integration, and of those the rows that are to be removed.',
    ),
  },
);

/** In diff mode: a range of the rows that the table had at the last read, in the order of their keys. */
export interface SyncKeptDocument extends DocumentIn<typeof syncKept> {}

export const syncRows = collection(
  () => ({
    /** Job and number. */
    _id: text,
    ws: text,
    integration: text,
    reason: text,
    updated_at: optional(text),
    row: text,
    request: optional(text),
    /** The person that it names, as the digest of tombstones: so it is found when they are erased, also by a name that they lost. */
    person: optional(text),
    /** Stamp of the request in which it failed first. */
    at: number,
    expires: date,
  }),
  {
    by_person: partialBy(['person'], 'The failed rows about people who are erased.'),
    by_integration: by(['integration'], 'The failed rows of an integration that is deleted.'),
    by_expiry: atExpiry('Removes failed rows after 30 days.'),
  },
);

/** A row that failed. */
export interface SyncRowDocument extends DocumentIn<typeof syncRows> {}

/** The entry of a failed row: it is tried again in each later job, until it succeeds or the row changes. */
export const syncRetries = collection(
  () => ({
    /** Integration and hash of the row. */
    _id: text,
    ws: text,
    integration: text,
    /** The identity of the row: when the row is read with other content, this document is removed. */
    key: text,
    /** The same in a form for people, if that is another text. */
    name: optional(text),
    updated_at: optional(text),
    /** JSON text, which keeps long numbers. */
    entry: text,
    /** Where a job told last that it failed again: the id of that row in `sync_rows`. */
    told: optional(text),
    /** As in `sync_rows`. */
    person: optional(text),
    at: number,
    expires: date,
  }),
  {
    by_key: by(
      ['integration', 'key'],
      'The rows of an integration that are tried again, and those of them that have changed.',
    ),
    by_person: partialBy(['person'], 'The rows about people who are erased.'),
    by_expiry: atExpiry('Removes rows that no job has tried for 30 days.'),
  },
);
