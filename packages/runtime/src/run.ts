/** The life of a process: configuration, start, ready, a signal, stop, exit. */
import { type Admin, startAdmin, type Verdict } from './admin.ts';
import { loadConfig } from './config.ts';
import { environment } from './environment.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Config, type ProcessConfig, type ServiceName, serviceConfigs } from './variables.ts';

export interface Context<Settings> {
  config: Settings;
  log: Log;
  metrics: Metrics;
  admin: Admin;
}

export interface Running {
  /** Whether it can do its work now; asked by `/health/ready` of the side port. */
  ready?(): Verdict | Promise<Verdict>;
  /** Whether it should be restarted; asked by `/health/live`. That it answers is enough for most. */
  live?(): Verdict | Promise<Verdict>;
  /** Its public port, if it has one. */
  port?: number;
  stop(): Promise<void>;
}

export type Start<Settings> = (context: Context<Settings>) => Promise<Running>;

/** How long a stop may take; less than what Kubernetes and the local stack allow. */
const stopWithin = 25_000;

const within = (work: Promise<void>, milliseconds: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`stopping took longer than ${milliseconds / 1000} s`));
    setTimeout(late, milliseconds).unref();
    work.then(resolve, reject);
  });

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Said on standard error, for the person who started it: a log line is no place for "what do I do now". */
const refuse = (name: string, error: unknown): never => {
  process.stderr.write(`${name} cannot start: ${reasonOf(error)}\n`);
  process.exit(1);
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const dieOfBugs = (log: Log): void => {
  const die = (kind: string) => (reason: unknown) => {
    log.fatal({ err: asError(reason), kind }, 'this should not happen');
    process.exit(1);
  };
  process.on('uncaughtException', die('uncaughtException'));
  process.on('unhandledRejection', die('unhandledRejection'));
};

type Life = { running?: Running; stopping?: boolean };

const stop = async (life: Life, admin: Admin, log: Log): Promise<number> => {
  try {
    await within(life.running?.stop() ?? Promise.resolve(), stopWithin);
    await admin.close();
    log.info('stopped');
    return 0;
  } catch (err) {
    log.error({ err }, 'could not stop cleanly');
    return 1;
  }
};

/** The first signal stops, a second one exits at once. When the process that started this one is gone, that is a signal too. */
const stopOnSignals = (life: Life, admin: Admin, log: Log): void => {
  const heard = (signal: string) => {
    if (life.stopping) process.exit(1);
    life.stopping = true;
    log.info({ signal }, 'stopping');
    void stop(life, admin, log).then((code) => process.exit(code));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, heard);
  process.once('disconnect', () => life.stopping || heard('disconnect'));
};

const announce = (log: Log, port: number | undefined): void => {
  log.info(port === undefined ? {} : { port }, 'ready');
  process.send?.({ ready: true, ...(port !== undefined && { port }) });
};

const live = async <Settings extends ProcessConfig>(
  name: string,
  config: Settings,
  start: Start<Settings>,
) => {
  const life: Life = {};
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: name });
  const health = {
    live: () => life.running?.live?.() ?? true,
    ready: () => {
      if (life.stopping) return 'stopping';
      if (!life.running) return 'starting';
      return life.running.ready?.() ?? true;
    },
  };
  dieOfBugs(log);
  const admin = await startAdmin({ port: config.ADMIN_PORT, host: config.HOST, health, metrics });
  stopOnSignals(life, admin, log);
  const running = await start({ config, log, metrics, admin });
  // A signal that came while it started has found nothing to stop and is ending the process: say no "ready" any more.
  if (life.stopping) return;
  life.running = running;
  announce(log, running.port);
};

/** `run('track', startTrack)` is all that a `main.ts` holds. */
export const run = async <Name extends ServiceName>(
  name: Name,
  start: Start<Config<Name> & ProcessConfig>,
): Promise<void> => {
  try {
    const config = loadConfig(serviceConfigs[name], environment()) as Config<Name> & ProcessConfig;
    await live(name, config, start);
  } catch (error) {
    refuse(name, error);
  }
};
