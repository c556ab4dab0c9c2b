/** The demo company and its SCIM token, made as an operator would make them: with the command line tool. */
import { writePrivate } from '../servers/private-file.ts';
import { type Cli, keptIn, madeIn, roster } from './demo.ts';
import type { Home } from './home.ts';

export const scimOrigin = 'https://idp.example.com';

const company = {
  id: 'demo',
  name: 'Demo',
  workspaces: [{ name: 'Demo', teams: [{ name: 'Europe' }, { name: 'Americas' }] }],
  roles: [{ name: 'Analyst', workspace: 'Demo' }],
  permission_sets: [{ name: 'Marketer', permissions: ['basic_access', 'send_campaigns_canvases'] }],
};

/** A new token, kept for the next start. */
export const makeDemoCompany = async (cli: Cli, home: Home): Promise<string> => {
  const file = home.file('demo-company.json');
  writePrivate(file, `${JSON.stringify(company, null, 2)}\n`);
  await roster(cli, ['company', 'apply', file, '--json']);
  const words = `scim token create --origin ${scimOrigin} --company ${company.id} --name demo --json`;
  const token = madeIn(await roster(cli, words.split(' ')), 'token');
  writePrivate(home.file('demo-scim-token'), `${token}\n`);
  return token;
};

export const keptScimToken = (home: Home): string | undefined => keptIn(home.file('demo-scim-token'));

/** The servers may be others than yesterday's. A request without a body is refused at the door, but not with 401. */
export const isScimTokenKnown = async (baseUrl: string, token: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${token}`, 'X-Request-Origin': scimOrigin };
  const { status } = await fetch(`${baseUrl}/scim/v2/Users`, { method: 'POST', headers });
  return status !== 401;
};
