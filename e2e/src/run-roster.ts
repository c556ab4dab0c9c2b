/** The command line in this process, with what it said. */
import { readFileSync } from 'node:fs';
import { runCommand } from '@roster/cli';

export const runRoster = async (env: Readonly<Record<string, string>>, args: readonly string[]) => {
  const said = { out: '', err: '' };
  const code = await runCommand(args, {
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    env,
    readText: (path) => readFileSync(path, 'utf8'),
    now: () => new Date(),
  });
  return { code, ...said };
};
