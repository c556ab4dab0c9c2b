// Runs tasks of turbo.json: what has not changed since it was done, nor what it depends on, is not done again.
import { runLoud, runQuiet, tool } from './processes.mjs';

const env = {
  TURBO_TELEMETRY_DISABLED: '1',
  // npm would head the output of each task with its script.
  npm_config_loglevel: 'silent',
  // It names the version of Node, on which a task passed or not: turbo.json. npm and npx set it.
  npm_config_user_agent: process.env.npm_config_user_agent ?? `node/${process.version}`,
};

const argumentsFor = (tasks, options) => [tool('turbo/bin/turbo'), 'run', ...tasks, ...options];

/** Resolves to the exit code and the output of the tasks that failed. */
export const turboQuietly = (tasks) =>
  runQuiet(process.execPath, argumentsFor(tasks, ['--output-logs=errors-only', '--log-prefix=none']), env);

/** Goes on whatever fails, and shows what is new. Resolves to the exit code. */
export const turbo = (tasks, options = [], more = {}) =>
  runLoud(process.execPath, argumentsFor(tasks, ['--continue=always', ...options]), {
    ...env,
    ...more,
  });
