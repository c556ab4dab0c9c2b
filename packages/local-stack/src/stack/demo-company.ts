/** The demo company and its SCIM token. */
import { writePrivate } from '../servers/private-file.ts';
import { keptIn } from './demo.ts';
import type { Home } from './home.ts';
import type { Setup } from './setup.ts';

export const scimOrigin = 'https://idp.example.com';

const company = {
  id: 'demo',
  name: 'Demo',
  workspaces: [{ name: 'Demo', teams: [{ name: 'Europe' }, { name: 'Americas' }] }],
  roles: [{ name: 'Analyst', workspace: 'Demo' }],
  permission_sets: [{ name: 'Marketer', permissions: ['basic_access', 'send_campaigns_canvases'] }],
};

const tokenFile = (home: Home): string => home.file('demo-scim-token');

/** A new token, kept for the next start. */
export const companySetup = (home: Home): Setup => {
  const file = home.file('demo-company.json');
  writePrivate(file, `${JSON.stringify(company, null, 2)}\n`);
  const words = `scim token create --origin ${scimOrigin} --company ${company.id} --name demo`;
  return {
    commands: [['company', 'apply', file], words.split(' ')],
    secret: 'token',
    file: tokenFile(home),
  };
};

export const keptScimToken = (home: Home): string | undefined => keptIn(tokenFile(home));

/** The servers may be others than yesterday's. A request without a body is refused at the door, but not with 401. */
export const isScimTokenKnown = async (baseUrl: string, token: string): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${token}`, 'X-Request-Origin': scimOrigin };
  const { status } = await fetch(`${baseUrl}/scim/v2/Users`, { method: 'POST', headers });
  return status !== 401;
};
