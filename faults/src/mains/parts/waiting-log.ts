// The log as pino makes it by itself: an error of its stream is not handled, and a stuck pipe holds a thread.
import type { Log } from '@roster/runtime';
import { pino } from 'pino';

export const waitingLog = (): Log => {
  const logger = pino(pino.destination({ dest: 1, sync: false, minLength: 32 * 1024, periodicFlush: 100 }));
  const log: Log = {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    fatal: logger.fatal.bind(logger),
    child: () => log,
  };
  return log;
};
