// What `npm start` runs once everything is built: the whole system, until Ctrl-C.
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { onLauncherGone } from './launcher.ts';
import { checkout } from './stack/checkout.ts';
import type { StackOptions } from './stack/options.ts';
import type { Stack } from './stack/running.ts';
import { startStack } from './stack/stack.ts';
import { asksForSignIn, summary } from './stack/summary.ts';
import { mostPort, numberIn } from './variables.ts';

const { env } = process;
const givingUp = new AbortController();
// Each service that comes up listens.
setMaxListeners(0, givingUp.signal);

/** npm passes on a Ctrl-C that the terminal has sent us already. */
const sameKeypressMs = 1_000;

/** With the seconds since this process began, as scripts/progress.mjs says them. */
const say = (line: string): void =>
  console.log(`${String(Math.round(process.uptime())).padStart(5)} s  ${line}`);

const options = (): StackOptions => {
  const port = numberIn(env, 'PORT', mostPort) ?? 8080;
  return {
    dir: env.ROSTER_HOME || join(checkout(), '.roster'),
    port,
    monitorPort: numberIn(env, 'MONITOR_PORT', mostPort) ?? 0,
    pagesPort: numberIn(env, 'PAGES_PORT', mostPort) ?? 0,
    usualPorts: port !== 0,
    trackWorkers: numberIn(env, 'TRACK_WORKERS') ?? 1,
    supervise: true,
    signal: givingUp.signal,
    say,
    progress: say,
    ...(env.REDIS_URL && { redis: { url: env.REDIS_URL } }),
    ...(env.MONGO_URL && { mongo: { url: env.MONGO_URL } }),
    ...(env.ROSTER_SECRET && { secret: env.ROSTER_SECRET }),
  };
};

/** Stops what is up, or what is coming up. */
const stop = async (starting: Promise<Stack | undefined>): Promise<void> => {
  console.log('\nStopping ...');
  givingUp.abort();
  const stack = await starting;
  await stack?.stop();
  console.log('Stopped. The data is kept.');
};

/** Tells whether a signal was heard. */
const onSignal = (starting: Promise<Stack | undefined>): (() => boolean) => {
  let first = 0;
  const heard = () => {
    // A second one, meant as such, does not wait.
    if (first && Date.now() - first > sameKeypressMs) {
      console.error('Not waiting. What still runs was told to stop, and ends by itself. The data is kept.');
      process.exit(1);
    }
    if (first) return;
    first = Date.now();
    stop(starting).then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, heard);
  onLauncherGone(() => first || heard());
  return () => first > 0;
};

const fail = (error: unknown): undefined => {
  if (error === givingUp.signal.reason) return;
  console.error(`\nRoster did not start.\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
};

// The terminal may be gone before we are.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const start = async (): Promise<Stack> => startStack(options());
const starting = start().catch(fail);
const isStopping = onSignal(starting);
const stack = await starting;
const isShut = stack !== undefined && (await asksForSignIn(stack));
if (stack && !isStopping()) console.log(summary(stack, new Date(), isShut));
