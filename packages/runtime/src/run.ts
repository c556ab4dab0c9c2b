/** The life of a process: configuration, start, ready, a signal, stop, exit. */
import { otherSecrets, type SecretVariables, secretsOf, toldSecrets } from '@roster/secrets';
import { type Admin, startAdmin, type Verdict } from './admin.ts';
import { environment, loadConfig } from './config.ts';
import { createLog, type Log, type ProcessLog } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Processor, watchProcessor } from './processor.ts';
import { type Config, type ProcessConfig, type ServiceName, serviceConfigs } from './variables.ts';

export interface Context<Settings> {
  config: Settings;
  log: Log;
  metrics: Metrics;
  admin: Admin;
  processor: Processor;
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

/** Said on standard error, for the person who started it: a log line is no place for "what do I do now". */
const refuse = (name: string, error: unknown): never => {
  process.stderr.write(`${name} cannot start: ${asError(error).message}\n`);
  process.exit(1);
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Lines that are on their way are written first, but nothing keeps a process that has to go. */
const exit = async (log: ProcessLog, code: number): Promise<void> => {
  setTimeout(() => process.exit(code), 1000).unref();
  await log.flush();
  process.exit(code);
};

const dieOfBugs = (log: ProcessLog): void => {
  const die = (kind: string) => (reason: unknown) => {
    log.fatal({ err: asError(reason), kind }, 'unexpected error; the process ends');
    void exit(log, 1);
  };
  process.on('uncaughtException', die('uncaughtException'));
  process.on('unhandledRejection', die('unhandledRejection'));
};

type Life = { running?: Running; stopping?: string };

const stop = async (life: Life, admin: Admin, log: Log): Promise<number> => {
  try {
    await within(life.running?.stop() ?? Promise.resolve(), stopWithin);
    await admin.close();
    log.info('stopped');
    return 0;
  } catch (err) {
    log.error({ err }, 'stopping failed');
    return 1;
  }
};

/**
 * The first signal stops; the same one again exits at once. Another one changes nothing: Ctrl-C in a terminal reaches every process
 * by itself (SIGINT), and then the one that started them tells them once more (SIGTERM). That it is gone is a signal too.
 */
const stopOnSignals = (life: Life, admin: Admin, log: ProcessLog): void => {
  const heard = (signal: string) => {
    if (life.stopping === signal) process.exit(1);
    if (life.stopping) return;
    life.stopping = signal;
    log.info({ signal }, 'stopping');
    void stop(life, admin, log).then((code) => exit(log, code));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, heard);
  process.once('disconnect', () => heard('disconnect'));
};

const announce = (log: Log, port: number | undefined): void => {
  log.info(port === undefined ? {} : { port }, 'ready');
  process.send?.({ ready: true, ...(port !== undefined && { port }) });
};

const openLog = (service: string, level: ProcessConfig['LOG_LEVEL'], metrics: Metrics): ProcessLog => {
  const lost = metrics.counter({
    name: 'roster_log_lines_lost_total',
    help: 'Log lines that could not be written: the disk is full, or no process reads the pipe.',
  });
  const log = createLog({ service, level, onLost: lost.with().inc });
  process.once('exit', log.flushNow);
  return log;
};

const hasSecrets = (config: object): config is SecretVariables => 'ROSTER_SECRET' in config;

const untilOf = (config: object): readonly Date[] | undefined =>
  hasSecrets(config) ? otherSecrets(secretsOf(config)).map(({ until }) => until) : undefined;

const tellSecrets = (config: object, log: Log): void => {
  if (!hasSecrets(config)) return;
  for (const { says, isDue } of toldSecrets(secretsOf(config), Date.now()))
    log[isDue ? 'warn' : 'info'](says);
};

const live = async <Settings extends ProcessConfig>(
  name: ServiceName,
  config: Settings,
  start: Start<Settings>,
) => {
  const life: Life = {};
  const metrics = createMetrics({ service: name });
  const log = openLog(name, config.LOG_LEVEL, metrics);
  tellSecrets(config, log);
  const health = {
    live: () => life.running?.live?.() ?? true,
    ready: () => {
      if (life.stopping) return 'stopping';
      if (!life.running) return 'starting';
      return life.running.ready?.() ?? true;
    },
  };
  dieOfBugs(log);
  const { processor } = watchProcessor({ service: name, log, metrics });
  const admin = await startAdmin({ port: config.ADMIN_PORT, host: config.HOST, health, metrics });
  stopOnSignals(life, admin, log);
  const known = { ...processor, secretsUntil: untilOf(config) };
  const running = await start({ config, log, metrics, admin, processor: known });
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
