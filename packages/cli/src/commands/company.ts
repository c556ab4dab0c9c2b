import { type CompanySettings, completeCompany, publishCompany } from '@roster/access';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { Act } from '../act.ts';
import { audited } from '../audited.ts';
import { differences } from '../differences.ts';
import { publish } from '../publish.ts';
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

type Change = { id: string; change: 'created' | 'changed' | 'unchanged'; differences: string[] };

const changeOf = (before: CompanySettings | undefined, after: CompanySettings): Change => {
  if (!before) return { id: after.id, change: 'created', differences: [] };
  const found = differences(before, after);
  return { id: after.id, change: found.length > 0 ? 'changed' : 'unchanged', differences: found };
};

/** Publishes what is unchanged too: a repeated `apply` puts a broken serving copy right. */
const save = async (servers: Servers, company: CompanySettings, now: Date): Promise<Change> => {
  const store = await servers.store();
  const change = changeOf(await store.companies.get<CompanySettings>(company.id), company);
  const what = change.change === 'created' ? 'company.created' : 'company.changed';
  if (change.change !== 'unchanged')
    await audited(store, { what, target: company.id, company: company.id, now }, (session) =>
      store.companies.put(company, session),
    );
  await publish(servers, `company ${company.id} is saved`, (redis) => publishCompany(redis, company));
  return change;
};

const inWords = ({ id, change, differences: found }: Change): string =>
  [`company ${id}: ${change}`, ...found.map((difference) => `  ${difference}`)].join('\n');

const applyCompanies = async (
  servers: Servers,
  all: CompanySettings[],
  { dryRun = false, now }: { dryRun?: boolean | undefined; now: Date },
): Promise<Result> => {
  const { companies } = await servers.store();
  const changes: Change[] = [];
  for (const company of all) {
    const look = async () => changeOf(await companies.get<CompanySettings>(company.id), company);
    changes.push(dryRun ? await look() : await save(servers, company, now));
  }
  const notes = dryRun ? ['Nothing was changed: this was a dry run.'] : [];
  return {
    json: { applied: !dryRun, companies: changes },
    text: `${changes.map(inWords).join('\n')}\n`,
    notes,
  };
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
        return applyCompanies(servers, all, { dryRun, now: io.now() });
      }),
    );
};
