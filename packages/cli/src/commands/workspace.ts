import { completeSettings, publishWorkspace, upToDate, type WorkspaceSettings } from '@roster/access';
import { workspaceOf } from '../chosen-workspace.ts';
import { type SettingsKind, settingsCommands } from '../settings-kind.ts';

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

const workspaces: SettingsKind<WorkspaceSettings> = {
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
  about: 'workspaces and their settings',
  show: 'the settings of a workspace',
  argument: { '<id>': 'the workspace' },
  example: 'roster workspace apply shop.yaml',
  applyHelp,
};

export const workspaceCommands = settingsCommands(workspaces);
