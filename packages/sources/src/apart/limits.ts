/** What a process that reads may cost. */
export const readerBounds = {
  heapMb: 128,
  /** The heap, and what drivers hold beside it. */
  memoryMb: 256,
  /** Of one message: a page of rows has 1 MB, before its texts are quoted. */
  frameBytes: 8_388_608,
  /** Of a processor, without a sign of life. */
  busyMs: 30_000,
  /** Without one, whatever it waits for. */
  silentMs: 600_000,
  /** To end connections in order. */
  closeMs: 3_000,
  lookMs: 50,
} as const;

export type ReaderLimits = Readonly<Record<keyof typeof readerBounds, number>>;
