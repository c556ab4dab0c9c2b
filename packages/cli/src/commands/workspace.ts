import { completeSettings, publishWorkspace, upToDate, type WorkspaceSettings } from '@roster/access';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { missing, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { addSettingsCommands, type SettingsKind } from '../settings-kind.ts';
import { didYouMean } from '../suggest.ts';

/** The workspace, or an end that lists the existing ones. */
export const workspaceOf = async (servers: Servers, id: string): Promise<WorkspaceSettings> => {
  const store = await servers.store();
  const settings = await store.workspaces.get<WorkspaceSettings>(id);
  if (settings) return upToDate(settings);
  const ids = (await store.workspaces.list()).map((workspace) => workspace.id);
  const hint = didYouMean(id, ids, 'Make it with "roster workspace apply <file>".');
  throw missing(`there is no workspace ${id}. ${hint}`);
};

/** Where one is not named it is ROSTER_WORKSPACE; with one workspace there is nothing to choose. */
export const chosenWorkspace = async (
  servers: Servers,
  { workspace = servers.workspace }: { workspace?: string },
): Promise<string> => {
  if (workspace !== undefined) return (await workspaceOf(servers, workspace)).id;
  const all = await (await servers.store()).workspaces.list();
  const [only, ...more] = all.map(({ id }) => id);
  if (only === undefined)
    throw missing('there is no workspace. Make one with "roster workspace apply <file>".');
  if (more.length > 0)
    throw wrong(
      `there are several workspaces: ${[only, ...more].join(', ')}. Pass --workspace <id>, or set ROSTER_WORKSPACE.`,
    );
  return only;
};

const applyHelp = `
What the file names is added or changed. What it leaves out is kept, and listed; with --prune it is removed (apps, tags, groups,
segments) or has its default again (settings). Applying a file twice changes nothing the second time.

Example, shop.yaml:
  id: shop
  name: Shop
  apps:
    - { id: web, name: Web shop }
  tags: [vip, trial]
  subscription_groups:
    - { id: news, name: Newsletter, channel: email }
  segments:
    - id: gold
      name: Gold members who read email
      audience:
        AND:
          - custom_attribute: { custom_attribute_name: plan, comparison: equals, value: gold }
          - email_subscription_status: { comparison: is_not, value: unsubscribed }
  limits:
    track: { requests: 3000, seconds: 3 }
  track:
    max_updates: 100

  $ roster workspace apply shop.yaml --dry-run
  $ roster workspace apply shop.yaml
  $ roster workspace apply shop.yaml --prune
  $ roster workspace show shop > shop.yaml`;

export const workspaces: SettingsKind<WorkspaceSettings> = {
  what: 'workspace',
  stored: 'workspaces',
  complete: completeSettings,
  upToDate,
  publish: publishWorkspace,
  find: workspaceOf,
  columns: {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    APPS: ({ apps }) => apps.length,
    GROUPS: ({ subscription_groups }) => subscription_groups.length,
    TAGS: ({ tags }) => tags.length,
    SEGMENTS: ({ segments }) => segments.length,
  },
  words: {
    about: 'workspaces and their settings',
    show: 'the settings of a workspace',
    argument: ['<id>', 'the workspace'],
    applyHelp,
  },
};

export const addWorkspaceCommands = (program: Command, act: Act): void =>
  addSettingsCommands(program, act, workspaces);
