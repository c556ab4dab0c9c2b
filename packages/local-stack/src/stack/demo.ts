/** The demo workspace and the demo company, with a key and a SCIM token. */
import type { Setup } from './setup.ts';

export const demo = {
  workspace: 'demo',
  appId: 'demo-app',
  emailGroup: 'demo-news',
  smsGroup: 'demo-texts',
} as const;

const workspace = {
  id: demo.workspace,
  name: 'Demo',
  apps: [{ id: demo.appId, name: 'Demo app', platform: 'ios' }],
  tags: ['welcome', 'seasonal', 'vip'],
  subscription_groups: [
    { id: demo.emailGroup, name: 'News by email', channel: 'email' },
    { id: demo.smsGroup, name: 'News by text message', channel: 'sms' },
  ],
};

/** A key with every permission. */
export const demoKey: Setup = {
  settings: { of: 'workspace', file: 'demo-workspace.json', is: workspace },
  create: ['keys', 'create', '--workspace', demo.workspace, '--name', 'demo', '--permission', '*'],
  secret: 'key',
  file: 'demo-key',
  tryAt: '/users/track',
  headers: {},
};

export const scimOrigin = 'https://idp.example.com';

const company = {
  id: 'demo',
  name: 'Demo',
  workspaces: [{ id: demo.workspace, name: 'Demo', teams: [{ name: 'Europe' }, { name: 'Americas' }] }],
  roles: [{ name: 'Analyst', workspace: 'Demo' }],
  permission_sets: [{ name: 'Marketer', permissions: ['basic_access', 'send_campaigns_canvases'] }],
};

export const demoToken: Setup = {
  settings: { of: 'company', file: 'demo-company.json', is: company },
  create: ['scim', 'token', 'create', '--origin', scimOrigin, '--company', company.id, '--name', 'demo'],
  secret: 'token',
  file: 'demo-scim-token',
  tryAt: '/scim/v2/Users',
  headers: { 'X-Request-Origin': scimOrigin },
};
