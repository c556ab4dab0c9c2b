import { publishWorkspace, type WorkspaceSettings } from '@roster/access';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { Act } from '../act.ts';
import { type Applied, apply } from '../apply.ts';
import { missing, type Result } from '../result.ts';
import type { Servers } from '../servers.ts';
import { readSettings } from '../settings-file.ts';
import { suggestions } from '../suggest.ts';
import { table } from '../table.ts';

/** The workspace, or an end that names the ones there are. */
export const workspaceOf = async (servers: Servers, id: string): Promise<WorkspaceSettings> => {
  const store = await servers.store();
  const settings = await store.workspaces.get<WorkspaceSettings>(id);
  if (settings) return settings;
  const ids = (await store.workspaces.list()).map((workspace) => workspace.id);
  const near = suggestions(id, ids);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Make it with "roster workspace apply <file>".';
  throw missing(`there is no workspace ${id}. ${hint}`);
};

const listWorkspaces = async (servers: Servers): Promise<Result> => {
  const all = await (await servers.store()).workspaces.list<WorkspaceSettings>();
  const rows = all.map(({ id, name, apps, subscription_groups, tags }) => [
    id,
    name,
    String(apps.length),
    String(subscription_groups.length),
    String(tags.length),
  ]);
  return { json: all, text: table(['ID', 'NAME', 'APPS', 'GROUPS', 'TAGS'], rows) };
};

const showWorkspace = async (servers: Servers, id: string): Promise<Result> => {
  const settings = await workspaceOf(servers, id);
  return { json: settings, text: stringify(settings) };
};

const workspaces: Applied<WorkspaceSettings> = {
  what: 'workspace',
  stored: 'workspaces',
  publish: publishWorkspace,
};

const applyHelp = `
The file is the whole truth about its workspaces: what it leaves out gets its default, and an app, tag or group that
it no longer names is removed. Applying it twice changes nothing the second time.

Example, shop.yaml:
  id: shop
  name: Shop
  apps:
    - { id: web, name: Web shop }
  tags: [vip, trial]
  subscription_groups:
    - { id: news, name: Newsletter, channel: email }
  limits:
    track: { requests: 3000, seconds: 3 }
  track:
    max_updates: 100

  $ roster workspace apply shop.yaml --dry-run
  $ roster workspace apply shop.yaml
  $ roster workspace show shop > shop.yaml`;

export const addWorkspaceCommands = (program: Command, act: Act): void => {
  const workspace = program.command('workspace').description('workspaces and their settings');
  workspace
    .command('list')
    .description('all workspaces')
    .action(act(({ servers }) => listWorkspaces(servers)));
  workspace
    .command('show')
    .description('the settings of a workspace, as a file that can be applied')
    .argument('<id>', 'the workspace')
    .action(act(({ servers }, id: string) => showWorkspace(servers, id)));
  workspace
    .command('apply')
    .description('make or change workspaces from a YAML or JSON file')
    .argument('<file>', 'the file; - is standard input')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', applyHelp)
    .action(
      act(({ servers, io }, file: string, { dryRun }: { dryRun?: boolean }) =>
        apply(servers, workspaces, readSettings(io, file), { dryRun, now: io.now() }),
      ),
    );
};
