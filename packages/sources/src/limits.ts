/** The limits that a source keeps (`bounds`); tests take others. */
export interface Limits {
  readonly connectMs: number;
  readonly questionMs: number;
  readonly statementMs: number;
  readonly silenceMs: number;
  readonly stretchMs: number;
  readonly statementRows: number;
}

/** More than the time limit of a statement, so that the server's own error comes first. */
export const graceMs = 5_000;
