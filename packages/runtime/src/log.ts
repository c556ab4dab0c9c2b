/** JSON logs, one line an event, by an allow-list: what is not known to be harmless is not written. */
import { openSync } from 'node:fs';
import { type Level, type LevelWithSilent, type Logger, pino } from 'pino';
import { errorFields } from './log-error.ts';
import { createLogWriter } from './log-writer.ts';

export type Fields = Readonly<Record<string, unknown>>;
type Line = { (fields: Fields, message: string): void; (message: string): void };

export interface Log extends Record<Exclude<Level, 'trace'>, Line> {
  child(fields: Fields): Log;
}

/** Texts that say something about the machine, never about a person. Numbers and booleans may have any name. */
const harmless = new Set(
  [
    'service op method route request ws key queue job group partition state outcome code reason kind',
    'server version signal host step collection index name connection',
    // Of security events: which log, what, by which key or user id, from which network.
    'log event by from',
  ].flatMap((names) => names.split(' ')),
);

const isHarmless = (name: string, value: unknown): boolean =>
  value === undefined || typeof value === 'number' || typeof value === 'boolean' || harmless.has(name);

/** Keeps the fields that may be logged; `hidden` lists the names (not the values) of the others. */
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
  /** Lines could not be written and were dropped. */
  onLost?(lines: number): void;
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
  /** One try that never waits, for a process that exits now. */
  flushNow(): void;
}

/** Lines of the same millisecond share one text. */
const createTimestamp = (): (() => string) => {
  const last = { ms: 0, text: '' };
  return () => {
    const ms = Date.now();
    if (ms !== last.ms) Object.assign(last, { ms, text: `,"time":"${new Date(ms).toISOString()}"` });
    return last.text;
  };
};

/** Lines are gathered and written in pieces: a line costs the hot path a few microseconds and no system call. */
export const createLog = ({ service, level = 'info', to = 1, onLost = () => {} }: LogOptions): ProcessLog => {
  const options = {
    level,
    base: { service },
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }), log: visible },
    serializers: { err: (value: unknown) => value },
  };
  const writer = createLogWriter({
    fd: typeof to === 'string' ? openSync(to, 'a') : to,
    onLost,
    onRecovered: (lines) => log.warn({ lines }, 'log lines were dropped: writing them failed'),
  });
  const log = childOf(pino(options, writer));
  return { ...log, flush: writer.flush, flushNow: writer.flushNow };
};
