/** What a source may cost this process and the server it reads from. */
export const bounds = {
  /** A larger row becomes a problem of its own, and its cells are not read. */
  rowBytes: 1_048_576,
  /** Read ahead of the page that the caller has. */
  aheadBytes: 2_097_152,
  /** A server that sends so much before it lets us in does not speak our protocol. */
  greetingBytes: 65_536,
  /** Nor one that sends so much without a row. */
  unaskedBytes: 16_777_216,
  connectMs: 10_000,
  /** To end its transaction, and take leave of a server. */
  endMs: 1_000,
  /** For questions about the table. */
  questionMs: 15_000,
  /** For the statement that reads rows, its sort included. */
  statementMs: 1_800_000,
  /** Between two rows; for one part of an object. */
  silenceMs: 60_000,
  /** A statement is read no longer than that, so that no old snapshot holds up the server: then the next one goes on. */
  stretchMs: 300_000,
  /** Of a warehouse, which sorts a whole result before it sends a row: then the next statement goes on. */
  statementRows: 500_000,
  /** Of a warehouse, for one part of a result. */
  answerBytes: 67_108_864,
  /** Rows without a moment are counted up to that. */
  timelessRows: 1_000_000,
  columns: 1_000,
  sampleRows: 3,
  /** So many keys are compared with each other by a test. */
  keyRows: 100_000,
  /** Of a folder or bucket: all names, the files that are read, and their bytes. */
  fileNames: 1_000_000,
  files: 100_000,
  filesBytes: 1_099_511_627_776,
  /** Of an object, in one answer. */
  partBytes: 8_388_608,
  /** Before a part is asked for again. */
  pausesMs: [200, 1_000, 4_000],
  /** Rows of files are sorted in memory up to that, then on disk; beyond that in several passes over the files. */
  sortMemoryBytes: 12_582_912,
  sortDiskBytes: 2_147_483_648,
  /** Of sorted rows while they are merged. */
  mergeBytes: 25_165_824,
} as const;

/** The limits that a source keeps (`bounds`); tests take others. */
export type Limits = Readonly<
  Record<'connectMs' | 'questionMs' | 'statementMs' | 'silenceMs' | 'stretchMs' | 'statementRows', number>
>;

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** More than the time limit of a statement, so that the server's own error comes first. */
export const graceMs = 5_000;
