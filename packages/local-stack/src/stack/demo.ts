/** The demo workspace and its key. */
import { existsSync, readFileSync } from 'node:fs';
import { writePrivate } from '../servers/private-file.ts';
import type { Home } from './home.ts';
import type { Setup } from './setup.ts';

export const demo = {
  workspace: 'demo',
  appId: 'demo-app',
  emailGroup: 'demo-news',
  smsGroup: 'demo-texts',
} as const;

const settings = {
  id: demo.workspace,
  name: 'Demo',
  apps: [{ id: demo.appId, name: 'Demo app', platform: 'ios' }],
  tags: ['welcome', 'seasonal', 'vip'],
  subscription_groups: [
    { id: demo.emailGroup, name: 'News by email', channel: 'email' },
    { id: demo.smsGroup, name: 'News by text message', channel: 'sms' },
  ],
};

export const keptIn = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;

const keyFile = (home: Home): string => home.file('demo-key');

/** A new key with every permission, kept for the next start. */
export const demoSetup = (home: Home): Setup => {
  const file = home.file('demo-workspace.json');
  writePrivate(file, `${JSON.stringify(settings, null, 2)}\n`);
  const create = ['keys', 'create', '--workspace', demo.workspace, '--name', 'demo', '--permission', '*'];
  return {
    commands: [['workspace', 'apply', file], create],
    secret: 'key',
    file: keyFile(home),
  };
};

export const keptKey = (home: Home): string | undefined => keptIn(keyFile(home));

/** The servers may be others than yesterday's, and know nothing of a kept key. An empty request is refused, but not with 401. */
export const isKnown = async (baseUrl: string, key: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { status } = await fetch(`${baseUrl}/users/track`, { method: 'POST', headers, body: '{}' });
  return status !== 401;
};
