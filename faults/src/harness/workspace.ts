// Another workspace with a key of its own, made as an operator would make it: with the command line tool.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Stack } from '@roster/local-stack';

const cli = fileURLToPath(new URL('../../../bundle/roster.js', import.meta.url));
const run = promisify(execFile);

type Place = Pick<Stack, 'redisUrl' | 'mongoUrl' | 'secret' | 'dir'>;

/** What else is in its file. */
export type Settings = Record<string, unknown>;

/** Gives the key. */
export const addWorkspace = async (
  stack: Place,
  id: string,
  permission = '*',
  settings: Settings = {},
): Promise<string> => {
  const { redisUrl, mongoUrl, secret, dir } = stack;
  const env = { ...process.env, REDIS_URL: redisUrl, MONGO_URL: mongoUrl, ROSTER_SECRET: secret };
  const roster = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [cli, ...args, '--json'], { env, timeout: 30_000 });
    return stdout;
  };
  const file = join(dir, `${id}.json`);
  writeFileSync(file, JSON.stringify({ id, name: id, ...settings }));
  await roster('workspace', 'apply', file);
  const made = await roster('keys', 'create', '--workspace', id, '--name', id, '--permission', permission);
  return (JSON.parse(made) as { key: string }).key;
};
