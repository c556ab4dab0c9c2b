import { type CompanySettings, completeCompany, publishCompany } from '@roster/access';
import { missing, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { type SettingsKind, settingsCommands } from '../settings-kind.ts';

/** The named company; without a name, the only one. */
export const companyOf = async (servers: Servers, id: string | undefined): Promise<CompanySettings> => {
  const all = await (await servers.store()).companies.list<CompanySettings>();
  const [only, second] = all;
  if (!only) throw missing('there is no company. Make one with "roster company apply <file>".');
  if (id === undefined && !second) return only;
  const ids = all.map((company) => company.id).join(', ');
  if (id === undefined) throw wrong(`there are several companies: ${ids}. Say which with --company.`);
  const found = all.find((company) => company.id === id);
  if (!found) throw missing(`there is no company ${id}. There is: ${ids}`);
  return found;
};

const applyHelp = `
Dashboard users belong to a company. What the file names is added or changed. What it leaves out is kept, and listed; with --prune it is
removed, and all users lose it: a workspace, team, role or permission set. Ids are made from the names unless they are given; give one to rename a thing.

Example, acme.yaml:
  id: acme
  name: Acme
  workspaces:
    - name: Shop
      teams: [{ name: Europe }]
  default_workspace: Shop
  roles:
    - { name: Analyst, workspace: Shop }
  permission_sets:
    - { name: Marketer, permissions: [basic_access, send_campaigns_canvases] }
  limits:
    scim: { requests: 5000, seconds: 86400 }

  $ roster company apply acme.yaml --dry-run
  $ roster company apply acme.yaml
  $ roster company apply acme.yaml --prune`;

const companies: SettingsKind<CompanySettings> = {
  what: 'company',
  stored: 'companies',
  complete: completeCompany,
  upToDate: (stored) => stored,
  publish: publishCompany,
  find: companyOf,
  columns: {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    WORKSPACES: ({ workspaces }) => workspaces.length,
    TEAMS: ({ workspaces }) => workspaces.reduce((sum, { teams }) => sum + teams.length, 0),
    ROLES: ({ roles }) => roles.length,
    SETS: ({ permission_sets }) => permission_sets.length,
  },
  about: 'companies: workspaces, teams, roles and permission sets of dashboard users',
  show: 'a company',
  argument: { '[id]': 'the company; not needed when there is one' },
  example: 'roster company apply acme.yaml',
  applyHelp,
};

export const companyCommands = settingsCommands(companies);
