/** What a source may cost this process and the server it reads from. */
export const bounds = {
  /** A larger row becomes a problem of its own, and its cells are not read. */
  rowBytes: 1_048_576,
  /** Read ahead of the page that the caller has. */
  aheadBytes: 2_097_152,
  /** A server that sends so much without a row does not speak our protocol. */
  unaskedBytes: 16_777_216,
  connectMs: 10_000,
  /** For questions about the table. */
  questionMs: 15_000,
  /** For the statement that reads rows, its sort included. */
  statementMs: 1_800_000,
  /** Between two rows, or two parts of an answer. */
  silenceMs: 60_000,
  /** A statement is read no longer than that, so that no old snapshot holds up the server: then the next one goes on. */
  stretchMs: 300_000,
  columns: 1_000,
  /** Of a warehouse, which keeps the sorted rows of a statement: the next statement goes on behind them. */
  statementRows: 500_000,
  /** Of a warehouse, in one part of an answer: its rows, then its bytes. */
  answerRows: 5_000,
  answerBytes: 33_554_432,
  /** In a folder or bucket. */
  files: 100_000,
  /** Of a bucket: all objects with the prefix, and the bytes of those that are read. */
  bucketKeys: 1_000_000,
  bucketBytes: 1_099_511_627_776,
  /** Of an object, in one answer. */
  partBytes: 8_388_608,
  /** Rows of files are sorted in memory up to that, then on disk; beyond that in several passes over the files. */
  sortMemoryBytes: 12_582_912,
  sortDiskBytes: 2_147_483_648,
  sortBlockBytes: 65_536,
  sampleRows: 3,
} as const;
