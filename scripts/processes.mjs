// Running other programs from the scripts: in the root of the checkout, without a shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

// Nothing is told to anybody about a build on this machine.
const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
};

/** Says what it says as if we did. Resolves to the exit code. */
export const runLoud = async (command, args, more = {}, cwd = root) => {
  const child = spawn(command, args, {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Ctrl-C reaches the child as well: it ends first, and then so do we.
  const wait = () => {};
  process.on('SIGINT', wait);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  process.off('SIGINT', wait);
  return code ?? 1;
};

/** Resolves to the exit code and all that was said. */
export const runQuiet = async (command, args) => {
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
