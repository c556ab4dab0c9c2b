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

const keyIn = (answer: string): string => {
  const { key } = JSON.parse(answer) as { key?: string };
  if (!key) throw new Error('"roster keys create" showed no key');
  return key;
};

/** A new key with every permission, kept for the next start. */
export const makeDemo = async (cli: Cli, home: Home): Promise<string> => {
  const file = home.file('demo-workspace.json');
  writePrivate(file, `${JSON.stringify(settings, null, 2)}\n`);
  await roster(cli, ['workspace', 'apply', file, '--json']);
  const create = [
    'keys',
    'create',
    '--workspace',
    demo.workspace,
    '--name',
    'demo',
    '--permission',
    '*',
    '--json',
  ];
  const key = keyIn(await roster(cli, create));
  writePrivate(home.file('demo-key'), `${key}\n`);
  return key;
};

export const keptKey = (home: Home): string | undefined => {
  const file = home.file('demo-key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
};

/** The servers may be others than yesterday's, and know nothing of a kept key. An empty request is refused, but not with 401. */
export const isKnown = async (baseUrl: string, key: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(`${baseUrl}/users/track`, { method: 'POST', headers, body: '{}' });
  return status !== 401;
};
