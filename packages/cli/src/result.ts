import type { MaybeLine } from './shown.ts';

/** The result of a command. The program prints it: `json` with `--json`, else `text`; notes go to standard error. */
export interface Result {
  json: unknown;
  text: string;
  notes?: readonly MaybeLine[];
  exitCode?: number;
  /** Of a result that is shown once: what it has left behind, and how to undo that, when it cannot be shown. */
  unseen?: string;
}

export const exitCodes = {
  done: 0,
  /** A server is away, or a step failed; the same command may work later. */
  failed: 1,
  /** The command or its file is wrong; trying again does not help. */
  wrong: 2,
  /** There is no such thing. */
  missing: 3,
  /** The indexes are not as declared. */
  different: 4,
} as const;

/** An end that is explained to the person: the fault, and the remedy. */
export class Stop extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}

export const wrong = (message: string): Stop => new Stop(exitCodes.wrong, message);
export const missing = (message: string): Stop => new Stop(exitCodes.missing, message);
export const failed = (message: string): Stop => new Stop(exitCodes.failed, message);

/** Ends the command with all problems at once, if there are any. */
export const refuseAll = (head: string, problems: readonly string[]): void => {
  if (problems.length > 0) throw wrong(`${head}:\n  - ${problems.join('\n  - ')}`);
};

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
