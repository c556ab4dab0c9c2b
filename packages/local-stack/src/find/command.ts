/** Runs other people's programs: bounded in time, never through a shell. */
import { type ExecFileException, execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { givingUp } from '../giving-up.ts';

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

/** Without the command line, which says nothing to a person. */
const reason = (error: ExecFileException, stderr: string, { timeoutMs }: Bounds): string => {
  if (error.killed) return `no end after ${timeoutMs / 1000} s`;
  const { signal, code } = error;
  return stderr.trim() || (signal ? `was ended by ${signal}` : `ended with ${code}`);
};

export const runCommand = (command: string, args: string[], bounds: Bounds): Promise<Finished> =>
  new Promise((resolve) => {
    const { timeoutMs, input, ...where } = bounds;
    const options = { ...where, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 16e6 } as const;
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      stopped?.removeEventListener('abort', end);
      resolve({ ok: !error, stdout, stderr: error ? reason(error, stderr, bounds) : stderr });
    });
    const { stdin } = child;
    const end = () => child.kill('SIGKILL');
    const stopped = givingUp();
    stopped?.addEventListener('abort', end);
    if (stopped?.aborted) end();
    // A command that reads nothing: its end tells what became of it.
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
