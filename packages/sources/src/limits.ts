/** The limits that a source keeps (`bounds`); tests take others. */
export type Limits = Readonly<
  Record<'connectMs' | 'questionMs' | 'statementMs' | 'silenceMs' | 'stretchMs' | 'statementRows', number>
>;

/** More than the time limit of a statement, so that the server's own error comes first. */
export const graceMs = 5_000;
