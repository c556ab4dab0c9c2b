/** What a command comes to. The program prints it: `json` with `--json`, else `text`; notes go to standard error. */
export interface Result {
  json: unknown;
  text: string;
  notes?: string[];
  exitCode?: number;
}

export const exitCodes = {
  done: 0,
  /** Something is away or broken; the same command may work later. */
  failed: 1,
  /** The command or a file it was given is wrong; trying again does not help. */
  wrong: 2,
  /** There is no such thing. */
  missing: 3,
  /** The indexes are not what they should be. */
  different: 4,
} as const;

/** An end that is explained to the person: what is wrong, and what to do. */
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
