/** What one template may cost. ADR 0037 says why these numbers. */
export const limits = {
  /** CPU time of one check or render in its thread; with the end of the thread it stays below 100 ms. */
  cpuMs: 80,
  /** The same as time on the wall, for a thread that waits for a processor. */
  wallMs: 2_000,
  /** CPU time of the end of a thread and the start of the next one, as it was measured. */
  renewMs: 45,
  /** Heap of the thread, with the library in it. */
  heapMb: 16,
  /** Bytes of source: a template and its blocks together. */
  source: 4 * 1024 * 1024,
  /** Characters that are written out. */
  output: 1024 * 1024,
  /** Elements and characters that filters and ranges make. */
  made: 1_000_000,
  /** Blocks inside blocks. Each level takes stack, and V8 ends the process when it runs out of stack inside a regular expression. */
  blockDepth: 20,
  /** Tags inside tags, and brackets inside brackets: likewise. */
  tagDepth: 30,
  /** Parsed templates that are kept. */
  kept: 100,
} as const;
