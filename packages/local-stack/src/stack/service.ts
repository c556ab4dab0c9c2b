/** Starts a service as a process of its own and waits until it says that it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { givingUp } from '../giving-up.ts';
import { type Launched, launch, type Program } from '../servers/launch.ts';
import { logTail } from '../servers/log-tail.ts';

/**
 * As in the image. Left to itself, Node lets the heap grow to gigabytes before it cleans up,
 * and cleans it with four threads, which take the processors from whatever answers requests.
 */
const nodeOptions = ['--max-old-space-size=384', '--v8-pool-size=1'];

interface Service extends Pick<Program, 'env' | 'logFile' | 'pidFile'> {
  name: string;
  script: string;
}

/** A machine that is busy with other things takes many times the usual second. */
const patienceMs = 180_000;
const stopMs = 25_000;

/** Never, unless the start is given up. */
const givenUp = (): Promise<string> =>
  new Promise((resolve) => {
    const signal = givingUp();
    const tell = () => resolve('is no longer wanted');
    if (signal?.aborted) tell();
    signal?.addEventListener('abort', tell);
  });

const whenReady = ({ child, exited }: Launched): Promise<{ port?: number } | string> => {
  const said = new Promise<{ port?: number }>((resolve) =>
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (message.ready) resolve(message.port === undefined ? {} : { port: message.port });
    }),
  );
  const late = sleep(patienceMs, `was not ready within ${patienceMs / 1000} s`, { ref: false });
  return Promise.race([said, exited.then(({ how }) => how), late, givenUp()]);
};

export const startService = async ({ name, script, ...rest }: Service) => {
  const launched = await launch({
    command: process.execPath,
    args: [...nodeOptions, script],
    ipc: true,
    ...rest,
  });
  const outcome = await whenReady(launched);
  if (typeof outcome !== 'string') return { ...launched, ...outcome };
  await launched.stop(stopMs);
  throw new Error(`${name} ${outcome}. It said last (${rest.logFile}):\n${logTail(rest.logFile)}`);
};
