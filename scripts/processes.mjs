// Running other programs from the scripts: in the root of the checkout, without a shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether there is such a process, or with a minus such a group. 0 only asks. */
export const signalTo = (pid, signal = 0) => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

/** The process and all that it has started: it leads a group of its own. */
const signalGroup = (pid, signal) => signalTo(-pid, signal);

/** npm passes on a Ctrl-C that the terminal has sent us already. */
const sameKeypressMs = 1_000;
const lastWordsMs = 30_000;

/** What is left of a group whose leader has ended: jest's workers and servers do not notice by themselves. */
const endGroup = async (pid) => {
  signalGroup(pid, 'SIGTERM');
  for (const end = Date.now() + lastWordsMs; signalGroup(pid, 0) && Date.now() < end; ) await sleep(50);
  signalGroup(pid, 'SIGKILL');
};

/**
 * Says what it says as if we did. Resolves to the exit code, 128 and more when a signal ended it. A signal for us is one for all that it
 * has started. It gets one, too, when it takes longer than `limitMs`.
 */
export const runLoud = async (command, args, more = {}, cwd = root, { output = 'inherit', limitMs } = {}) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...more },
    stdio: ['ignore', output, output],
    detached: true,
  });
  let last = { at: 0 };
  const heard = (signal) => {
    if (Date.now() - last.at < sameKeypressMs) return;
    // One that does not hear is killed; whatever it has started ends with it.
    if (!last.signal) setTimeout(() => signalGroup(child.pid, 'SIGKILL'), lastWordsMs).unref();
    last = { at: Date.now(), signal };
    signalGroup(child.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, heard);
  const limit = limitMs && setTimeout(() => heard('SIGTERM'), limitMs);
  const [code, endedBy] = await once(child, 'close');
  clearTimeout(limit);
  if (last.signal) await endGroup(child.pid);
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, heard);
  const ending = last.signal ?? endedBy;
  return ending ? 128 + constants.signals[ending] : code;
};

/** Whether an exit code tells of a signal: then what has started it ends as well. */
export const isInterrupted = (code) => code > 128;

/** Resolves to the exit code and all that was said. */
export const runQuiet = async (command, args, more = {}) => {
  const env = { ...process.env, ...more };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output };
};

/** A command line tool of node_modules, by the path of its script. */
export const tool = (script) => fileURLToPath(new URL(`../node_modules/${script}`, import.meta.url));
