import { createKey, type KeyRecord, parseKey, publishKey } from '@roster/access';
import { isPermission, permissions } from '@roster/contract';
import { chosenWorkspace } from '../chosen-workspace.ts';
import { type Family, list, needed, type Tools } from '../command.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import {
  type Kind,
  keepSecret,
  type Limits,
  limitFlags,
  limitsOf,
  listSecrets,
  revokeSecret,
} from '../secrets.ts';
import { suggestions } from '../suggest.ts';

interface KeyOptions extends Limits {
  workspace?: string;
  name: string;
  permission: string[];
}

const apiKeys: Kind<KeyRecord> = {
  noun: 'key',
  commands: 'roster keys',
  audited: 'key',
  records: ({ keys }) => keys,
  publish: publishKey,
  row: ({ ws, permissions: names, revoked }) => ({ set: revoked ? { ws } : { ws, permissions: names } }),
  idIn: (text) => parseKey(text)?.id,
  owner: { WORKSPACE: ({ ws }) => ws },
  allowed: { PERMISSIONS: ({ permissions: names }) => names.join(' ') },
};

const unknownPermission = (name: string): string => {
  const near = suggestions(name, permissions);
  return near.length > 0
    ? `there is no permission ${name}; did you mean ${near.join(' or ')}?`
    : `there is no permission ${name}; "roster keys permissions" lists them, '*' is all of them`;
};

const problemsOf = ({ permission }: KeyOptions): string[] => [
  ...(permission.length === 0 ? ["a key needs a --permission at least; '*' is all of them"] : []),
  ...permission.filter((name) => name !== '*' && !isPermission(name)).map(unknownPermission),
];

export const makeKey = async (tools: Tools, options: KeyOptions): Promise<Result> => {
  const { servers, io } = tools;
  const { name, permission } = options;
  const [pepper, now] = [pepperOf(io), io.now()];
  const limits = limitsOf('key', options, now, problemsOf(options));
  const { id: ws } = await chosenWorkspace(servers, options);
  const made = createKey({ ws, name, permissions: [...new Set(permission)], ...limits, pepper, now });
  return keepSecret(tools, apiKeys, { record: made.record, text: made.key, of: `of workspace ${ws}` });
};

export const revokeKey = (tools: Tools, given: string): Promise<Result> =>
  revokeSecret(tools, apiKeys, given);

const createHelp = `
The key is printed alone on standard output, so that a script can take it.

Examples:
  $ roster keys create --workspace shop --name backend --permission users.track --permission users.export.ids
  $ roster keys create --workspace shop --name admin --permission '*' --ip 10.0.0.0/8 --expires 90d
  $ KEY=$(roster keys create --workspace shop --name ci --permission users.track)`;

export const keyCommands: Family = {
  about: 'API keys',
  example: 'roster keys create --workspace shop --name backend --permission users.track',
  commands: {
    create: {
      about: 'make a key; its secret is shown once',
      flags: {
        ...limitFlags,
        '--workspace <id>': 'the workspace it is for',
        '--name <text>': needed('what it is for, in your words'),
        '--permission <name>': list("what it may do; repeat it for more, '*' is everything", ','),
      },
      help: createHelp,
      run: makeKey,
    },
    list: {
      about: 'all keys, without their secrets',
      flags: { '--workspace <id>': 'only those of this workspace' },
      run: (tools: Tools, { workspace: ws }: { workspace?: string }) =>
        listSecrets(tools, apiKeys, ws === undefined ? undefined : { ws }),
    },
    revoke: {
      about: 'end a key; heard by every ingress at once',
      args: { '<id>': 'the id of the key (the part after rk_)' },
      run: revokeKey,
    },
    permissions: {
      about: 'the permissions that a key can have',
      run: () => ({ json: permissions, text: `${permissions.join('\n')}\n` }),
    },
  },
};
