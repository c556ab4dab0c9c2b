/** The demo workspace and its key, made as an operator would make them: with the command line tool. */
import { existsSync, readFileSync } from 'node:fs';
import { mustRun } from '../find/command.ts';
import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';

export const demo = {
  workspace: 'demo',
  appId: 'demo-app',
  emailGroup: 'demo-news',
  smsGroup: 'demo-texts',
} as const;

const settings = {
  id: demo.workspace,
  name: 'Demo',
  apps: [{ id: demo.appId, name: 'Demo app' }],
  tags: ['welcome', 'seasonal', 'vip'],
  subscription_groups: [
    { id: demo.emailGroup, name: 'News by email', channel: 'email' },
    { id: demo.smsGroup, name: 'News by text message', channel: 'sms' },
  ],
};

export interface Cli {
  script: string;
  env: NodeJS.ProcessEnv;
}

export const roster = ({ script, env }: Cli, args: string[]): Promise<string> =>
  mustRun(process.execPath, [script, ...args], { timeoutMs: 60_000, env });

export const makeIndexes = (cli: Cli): Promise<string> => roster(cli, ['indexes', '--apply', '--json']);

/** What a command has made, by its name in the answer. */
export const madeIn = (answer: string, name: 'key' | 'token'): string => {
  const { [name]: made } = JSON.parse(answer) as { key?: string; token?: string };
  if (!made) throw new Error(`roster showed no ${name}`);
  return made;
};

export const keptIn = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;

/** A new key with every permission, kept for the next start. */
export const makeDemo = async (cli: Cli, home: Home): Promise<string> => {
  const file = home.file('demo-workspace.json');
  writePrivate(file, `${JSON.stringify(settings, null, 2)}\n`);
  await roster(cli, ['workspace', 'apply', file, '--json']);
  const create = ['keys', 'create', '--workspace', demo.workspace, '--name', 'demo', '--permission', '*'];
  const key = madeIn(await roster(cli, [...create, '--json']), 'key');
  writePrivate(home.file('demo-key'), `${key}\n`);
  return key;
};

export const keptKey = (home: Home): string | undefined => keptIn(home.file('demo-key'));

/** The servers may be others than yesterday's, and know nothing of a kept key. An empty request is refused, but not with 401. */
export const isKnown = async (baseUrl: string, key: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(`${baseUrl}/users/track`, { method: 'POST', headers, body: '{}' });
  return status !== 401;
};
