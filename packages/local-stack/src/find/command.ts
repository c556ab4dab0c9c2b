/** Runs other people's programs: bounded in time, never through a shell. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Finished {
  ok: boolean;
  stdout: string;
  stderr: string;
}

interface Bounds {
  timeoutMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** Its abort ends the program. */
  signal?: AbortSignal;
  /** What it reads from its standard input. */
  input?: string;
}

const reason = (error: Error & { killed?: boolean }, stderr: string, { timeoutMs }: Bounds): string =>
  error.killed ? `no end after ${timeoutMs / 1000} s` : stderr.trim() || error.message;

export const runCommand = (command: string, args: string[], bounds: Bounds): Promise<Finished> =>
  new Promise((resolve) => {
    const { timeoutMs, input, ...where } = bounds;
    const options = { ...where, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 16e6 } as const;
    const { stdin } = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ ok: !error, stdout, stderr: error ? reason(error, stderr, bounds) : stderr }),
    );
    stdin?.on('error', () => {});
    if (input !== undefined) stdin?.end(input);
  });

/** As `runCommand`, but a failure is thrown with the last line that the program said. */
export const mustRun = async (command: string, args: string[], bounds: Bounds): Promise<string> => {
  const { ok, stdout, stderr } = await runCommand(command, args, bounds);
  if (!ok) throw new Error(`${command} ${args[0] ?? ''}: ${stderr.split('\n').at(-1)}`);
  return stdout;
};

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The first of these programs that the PATH knows. */
export const onPath = (...names: string[]): string | undefined => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
};
