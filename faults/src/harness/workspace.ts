// Another workspace with a key of its own, made as an operator would make it: with the command line tool.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { roster, type Stack } from '@roster/local-stack';

const script = fileURLToPath(new URL('../../../bundle/several.js', import.meta.url));

type Place = Pick<Stack, 'redisUrl' | 'mongoUrl' | 'secret' | 'dir'>;

/** What else is in its file. */
export type Settings = Record<string, unknown>;

/** Gives the key. */
export const addWorkspace = async (
  stack: Place,
  id: string,
  settings: Settings = {},
  permission = '*',
): Promise<string> => {
  const { redisUrl, mongoUrl, secret, dir } = stack;
  const env = { ...process.env, REDIS_URL: redisUrl, MONGO_URL: mongoUrl, ROSTER_SECRET: secret };
  const file = join(dir, `${id}.json`);
  writeFileSync(file, JSON.stringify({ id, name: id, ...settings }));
  const [, made = ''] = await roster({ script, env }, [
    ['workspace', 'apply', file],
    ['keys', 'create', '--workspace', id, '--name', id, '--permission', permission],
  ]);
  return (JSON.parse(made) as { key: string }).key;
};
