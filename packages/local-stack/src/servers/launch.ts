/** Starts a program: logged to a file, noted by its pid, ended when this process dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { dropNote, notePid, stopLeftover } from './pid-file.ts';
import { makePrivateFolder } from './private-file.ts';
import { spawnBeside } from './processes.ts';

export interface User {
  uid: number;
  gid: number;
}

export interface Program {
  command: string;
  args: string[];
  logFile: string;
  pidFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Another user than ours, for servers that refuse to run as root. */
  user?: User;
  /** How it is asked to stop; SIGTERM unless told. */
  stopSignal?: NodeJS.Signals;
  /** With a channel to this process, by which it says that it is ready and hears when this process is gone. */
  ipc?: boolean;
}

export interface Ending {
  /** Nothing when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The same in words. */
  how: string;
}

/** A shell that waits for its input to end. */
const guard = (pid: number, stopSignal: NodeJS.Signals): ChildProcess => {
  const script = 'read -r _; kill -"$2" "$1"; kill -CONT "$1"';
  return spawnBeside('/bin/sh', ['-c', script, 'sh', String(pid), stopSignal.slice('SIG'.length)]);
};

const open = ({ command, args, logFile, env, cwd, user, ipc }: Program): ChildProcess => {
  makePrivateFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o600);
  // Redis would let everybody read its data.
  const mask = process.umask(0o077);
  try {
    return spawn(command, args, {
      stdio: ['ignore', log, log, ...(ipc ? (['ipc'] as const) : [])],
      // A group of its own: Ctrl-C in a terminal is for us, who stop the rest in order.
      detached: true,
      ...(env && { env }),
      ...(cwd && { cwd }),
      ...user,
    });
  } finally {
    process.umask(mask);
    closeSync(log);
  }
};

const ending = (child: ChildProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve({ code, signal, how: signal ? `was ended by ${signal}` : `ended with code ${code}` }),
    );
    child.once('error', ({ message: how }) => resolve({ code: null, signal: null, how }));
  });

const stopChild = async (
  child: ChildProcess,
  exited: Promise<Ending>,
  { withinMs, stopSignal }: { withinMs: number; stopSignal: NodeJS.Signals },
): Promise<void> => {
  child.kill(stopSignal);
  child.kill('SIGCONT');
  const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await exited;
  clearTimeout(late);
};

/** A process without a note would be lost: a full disk must not leave one behind that holds the port. */
const endUnnoted = async (child: ChildProcess, exited: Promise<Ending>): Promise<void> => {
  child.kill('SIGKILL');
  await exited;
};

/** What a test exchanges, to see what would happen without it. */
export interface Replacements {
  unnoted?: typeof endUnnoted;
}

export const launch = async (program: Program, { unnoted = endUnnoted }: Replacements = {}) => {
  await stopLeftover(program.pidFile);
  const child = open(program);
  const exited = ending(child);
  if (child.pid === undefined) throw new Error(`${program.command}: ${(await exited).how}`);
  const { pid } = child;
  try {
    notePid(program.pidFile, pid);
  } catch (error) {
    await unnoted(child, exited);
    throw error;
  }
  const { stopSignal = 'SIGTERM' } = program;
  const watch = program.ipc ? undefined : guard(pid, stopSignal);
  let running = true;
  void exited.then(() => {
    running = false;
    watch?.kill('SIGKILL');
    dropNote(program.pidFile, pid);
  });
  return {
    pid,
    child,
    /** Resolves when it has ended. */
    exited,
    isRunning: () => running,
    /** Asks it to stop; SIGKILL when that does not help in time. */
    stop: async (withinMs: number): Promise<void> =>
      running ? stopChild(child, exited, { withinMs, stopSignal }) : undefined,
  };
};

export type Launched = Awaited<ReturnType<typeof launch>>;
