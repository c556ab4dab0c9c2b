/** JSON logs, one line an event, by an allow-list: what is not known to be harmless is not written (RELIABILITY 4.4). */
import { type Level, type LevelWithSilent, type Logger, pino } from 'pino';
import { errorFields } from './log-error.ts';

export type Fields = Readonly<Record<string, unknown>>;
type Line = { (fields: Fields, message: string): void; (message: string): void };

export interface Log extends Record<Exclude<Level, 'trace'>, Line> {
  child(fields: Fields): Log;
}

/** Texts that say something about the machine, never about a person. Numbers and booleans may have any name. */
const harmless = new Set([
  'service',
  'op',
  'method',
  'route',
  'request',
  'ws',
  'key',
  'queue',
  'job',
  'group',
  'partition',
  'state',
  'outcome',
  'code',
  'reason',
  'kind',
  'server',
  'version',
  'signal',
  'host',
  'step',
  'collection',
  'index',
  'name',
]);

const isHarmless = (name: string, value: unknown): boolean =>
  value === undefined || typeof value === 'number' || typeof value === 'boolean' || harmless.has(name);

/** Keeps what may be written; the names (not the values) of the rest stand under `hidden`, so that nobody wonders. */
export const visible = (fields: Fields): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  const hidden: string[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value instanceof Error) kept[name] = errorFields(value);
    else if (isHarmless(name, value) && typeof value !== 'object') kept[name] = value;
    else hidden.push(name);
  }
  if (hidden.length > 0) kept.hidden = hidden;
  return kept;
};

export interface LogOptions {
  service: string;
  level?: LevelWithSilent;
  /** A file descriptor; standard output unless a test wants something else. */
  to?: number | string;
}

type Lines = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** pino's own `child` would pass the allow-list by. */
const childOf = (logger: Logger): Log => {
  const lines: Lines = logger;
  const bound = (name: keyof Lines) => lines[name].bind(logger);
  return {
    debug: bound('debug'),
    info: bound('info'),
    warn: bound('warn'),
    error: bound('error'),
    fatal: bound('fatal'),
    child: (fields) => childOf(logger.child(visible(fields))),
  };
};

/** The log of a process: before it exits, what is gathered has to be written. */
export interface ProcessLog extends Log {
  flush(): Promise<void>;
}

/**
 * Lines are gathered and written by another thread: a line costs the hot path a few microseconds and no system call. To wake that
 * thread costs more than what it writes, so it is given two hundred lines at once, or what has come in a tenth of a second.
 */
export const createLog = ({ service, level = 'info', to = 1 }: LogOptions): ProcessLog => {
  const gather = { minLength: 32 * 1024, maxWrite: 64 * 1024, periodicFlush: 100 };
  const destination = pino.destination({ dest: to, sync: false, ...gather });
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: visible },
    serializers: { err: (value: unknown) => value },
  };
  return {
    ...childOf(pino(options, destination)),
    flush: () => new Promise((resolve) => destination.flush(() => resolve())),
  };
};
