/** The command line in this process, with what it said. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runCommand } from '@roster/cli';

/** In the folder of its files. `said` grows until it has ended. */
export const startRoster = (env: Readonly<Record<string, string>>, args: readonly string[], folder = '.') => {
  const said = { out: '', err: '' };
  const ended = runCommand(args, {
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    env,
    readText: (path) => readFileSync(resolve(folder, path), 'utf8'),
    now: () => new Date(),
  });
  return { said, ended };
};

export const runRoster = async (env: Readonly<Record<string, string>>, args: readonly string[]) => {
  const { said, ended } = startRoster(env, args);
  return { code: await ended, ...said };
};
