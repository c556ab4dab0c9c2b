/** What one template may cost. docs/adr/content.md says why these numbers. */
export const limits = {
  /** Work of one check, one rendering or one series, as steps.ts counts it: this decides what is refused, on each machine in the same way. */
  steps: 100_000,
  /** CPU time of a thread. No template that stays within its steps takes so long: it is for what nobody has thought of. */
  cpuMs: 2_000,
  /** Likewise on the wall, for a thread that gets no processor: shorter than the 30 s in which a turn of sending has to begin. */
  wallMs: 20_000,
  /** CPU time of the end of a thread and the start of the next one: 140 to 270 were measured. */
  renewMs: 200,
  /** Heap of the thread, with the library in it. */
  heapMb: 16,
  /** Characters of one source. */
  source: 4 * 1024 * 1024,
  /** Characters that are written out. */
  output: 1024 * 1024,
  /** Elements and characters that filters, ranges and captures make: twice as many elements fill the heap. */
  made: 500_000,
  /** Blocks inside blocks. Each level takes stack, and V8 ends the process when it runs out of stack inside a regular expression. */
  blockDepth: 20,
  /** Tags inside tags, and brackets inside brackets: likewise. */
  tagDepth: 30,
  /** Steps of the parsed templates that are kept, for each form: they live in the same heap as the template that is rendered. */
  kept: 20_000,
} as const;

/** What tests exchange: those of time are out of reach where something else is tested. */
export type TestBounds = Partial<Record<'steps' | 'made' | 'cpuMs' | 'wallMs', number>>;
