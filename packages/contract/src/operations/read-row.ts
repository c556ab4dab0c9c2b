/** What is the same for everything that is read without a pool of its own, and answered by the export service. */
export const readRow = {
  method: 'GET',
  kind: 'read',
  answer: 'result',
  queue: 'export',
  success: 200,
  bodyLimit: 4 * 1024 * 1024,
  limit: { pool: 'default', requests: 250_000, seconds: 3600 },
} as const;

/** Said of every row with `fresh`. */
export const waitsForAccepted =
  'Waits up to a second for everything that was accepted before; `X-Roster-Fresh` says whether it is included.';
