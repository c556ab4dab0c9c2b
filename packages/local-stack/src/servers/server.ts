/** What the servers have in common: a folder, a port, a wait until they serve. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { givingUp } from '../giving-up.ts';
import { diskFault } from './folder-error.ts';
import { type Launched, launch, type Program } from './launch.ts';
import { logTail } from './log-tail.ts';
import { stopLeftover } from './pid-file.ts';
import { freePort } from './ports.ts';
import { makePrivateFolder } from './private-file.ts';

export interface ServerOptions {
  /** The folder of its data, made when needed. */
  dir: string;
  /** 0 or nothing: the one of last time if it is free, else any free one. */
  port?: number;
  /** The program; found or fetched otherwise. */
  program?: string;
  /** More arguments; they win over ours. */
  args?: string[];
}

export interface Kind extends Pick<Program, 'user' | 'stopSignal'> {
  name: string;
  program(): Promise<string>;
  args(dir: string, port: number): string[];
  url(port: number): string;
  /** Makes it serve; throws while it does not yet. */
  settle(port: number): Promise<void>;
  /** What to do about what the log says, when it did not start. */
  advice?(log: string, dir: string, program: string): string;
}

/** Reading back a big data set takes a while; a process that is gone will never serve. */
const patienceMs = 300_000;
const stopMs = 30_000;
const attempts = 3;

const whenServing = async (kind: Kind, port: number, launched: Launched): Promise<void> => {
  let last: unknown;
  for (const end = Date.now() + patienceMs; Date.now() < end && launched.isRunning(); await sleep(50)) {
    givingUp()?.throwIfAborted();
    try {
      return await kind.settle(port);
    } catch (error) {
      last = error;
    }
  }
  if (!launched.isRunning()) throw new Error(`${kind.name} ${(await launched.exited).how}`);
  throw new Error(`${kind.name} does not serve after ${patienceMs / 1000} s: ${String(last)}`);
};

const startOn = async (kind: Kind, { dir, args = [] }: ServerOptions, command: string, port: number) => {
  const logFile = join(dir, `${kind.name}.log`);
  const pidFile = join(dir, `${kind.name}.pid.json`);
  const launched = await launch({
    command,
    args: [...kind.args(dir, port), ...args],
    logFile,
    pidFile,
    cwd: dir,
    ...(kind.user && { user: kind.user }),
    ...(kind.stopSignal && { stopSignal: kind.stopSignal }),
  });
  try {
    await whenServing(kind, port, launched);
  } catch (error) {
    await launched.stop(stopMs);
    const log = logTail(logFile);
    const fault = diskFault(dir, logTail(logFile, 200));
    if (fault) throw fault;
    const advice = kind.advice?.(log, dir, command) ?? '';
    throw new Error(`${error instanceof Error ? error.message : error}\n${log}${advice}`);
  }
  const { pid } = launched;
  return { url: kind.url(port), port, pid, process: launched, stop: () => launched.stop(stopMs) };
};

export type Server = Awaited<ReturnType<typeof startOn>>;

/** Another program may take a free port before our server listens: then another port is tried. */
export const startServer = async (kind: Kind, options: ServerOptions): Promise<Server> => {
  const { dir, port = 0 } = options;
  makePrivateFolder(dir);
  const command = options.program ?? (await kind.program());
  await stopLeftover(join(dir, `${kind.name}.pid.json`));
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(kind, options, command, port || (await freePort(join(dir, 'port'))));
    } catch (error) {
      const taken = /address already in use/i.test(String(error));
      if (!taken || port || attempt === attempts) throw error;
    }
  }
};
