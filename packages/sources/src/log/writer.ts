/** What each server adds: how lines are written into a table of it. */
import type { Session } from '../server/protocol.ts';

/** The columns of the table, all of them texts. */
export const logColumns = ['job', 'key', 'operation', 'result', 'reason'] as const;

export type LogLine = Readonly<Record<(typeof logColumns)[number], string>>;

export interface Writer<S extends Session> {
  begin(session: S): Promise<unknown>;
  /** In one transaction, which is rolled back unless the lines are to be kept. An empty reason is null. */
  insert(session: S, lines: readonly LogLine[], isKept: boolean): Promise<unknown>;
}
