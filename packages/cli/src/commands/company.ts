import { type CompanySettings, completeCompany, publishCompany } from '@roster/access';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { Act } from '../act.ts';
import { type Applied, apply } from '../apply.ts';
import { missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { readSettings } from '../settings-file.ts';
import { table } from '../table.ts';

/** The one that is named; the only one there is when none is. */
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

const listCompanies = async (servers: Servers): Promise<Result> => {
  const all = await (await servers.store()).companies.list<CompanySettings>();
  const rows = all.map(({ id, name, workspaces, roles, permission_sets }) => [
    id,
    name,
    String(workspaces.length),
    String(workspaces.reduce((sum, { teams }) => sum + teams.length, 0)),
    String(roles.length),
    String(permission_sets.length),
  ]);
  return { json: all, text: table(['ID', 'NAME', 'WORKSPACES', 'TEAMS', 'ROLES', 'SETS'], rows) };
};

const showCompany = async (servers: Servers, id: string | undefined): Promise<Result> => {
  const company = await companyOf(servers, id);
  return { json: company, text: stringify(company) };
};

const companies: Applied<CompanySettings> = {
  what: 'company',
  stored: 'companies',
  publish: publishCompany,
};

const applyHelp = `
A company is what dashboard users belong to. The file is the whole truth about it: a workspace, team, role or permission set that it
no longer names is taken from everybody. Ids are made from the names unless they are given; give one to rename a thing.

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
  $ roster company apply acme.yaml`;

export const addCompanyCommands = (program: Command, act: Act): void => {
  const company = program
    .command('company')
    .description('companies: workspaces, teams, roles and permission sets of dashboard users');
  company
    .command('list')
    .description('all companies')
    .action(act(({ servers }) => listCompanies(servers)));
  company
    .command('show')
    .description('a company, as a file that can be applied')
    .argument('[id]', 'the company; not needed when there is one')
    .action(act(({ servers }, id: string | undefined) => showCompany(servers, id)));
  company
    .command('apply')
    .description('make or change companies from a YAML or JSON file')
    .argument('<file>', 'the file; - is standard input')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', applyHelp)
    .action(
      act(({ servers, io }, file: string, { dryRun }: { dryRun?: boolean }) => {
        const all = readSettings(io, file, { what: 'company', complete: completeCompany });
        return apply(servers, companies, all, { dryRun, now: io.now() });
      }),
    );
};
