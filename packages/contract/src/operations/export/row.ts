/** The common members of reads that the export service answers and that have no rate limit pool of their own. */
export const readRow = {
  method: 'GET',
  kind: 'read',
  answer: 'result',
  queue: 'export',
  success: 200,
  bodyLimit: 4 * 1024 * 1024,
  limit: { pool: 'default', requests: 250_000, seconds: 3600 },
} as const;
