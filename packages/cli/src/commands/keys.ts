import { createKey, type KeyRecord, parseKey, publishKey } from '@roster/access';
import { isPermission, permissions } from '@roster/contract';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import {
  collect,
  type Kind,
  keepSecret,
  type Limits,
  limitsOf,
  listSecrets,
  revokeSecret,
  withLimits,
} from '../secrets.ts';
import { suggestions } from '../suggest.ts';
import { chosenWorkspace } from './workspace.ts';

interface KeyOptions extends Limits {
  workspace?: string;
  name: string;
  permission: string[];
}

const apiKeys: Kind<KeyRecord> = {
  noun: 'key',
  list: 'roster keys list',
  audited: 'key',
  records: ({ keys }) => keys,
  publish: publishKey,
  row: ({ ws, permissions: names, revoked }) => ({ set: revoked ? { ws } : { ws, permissions: names } }),
  idIn: (text) => parseKey(text)?.id,
  columns: ['WORKSPACE', 'PERMISSIONS'],
  cells: ({ ws, permissions: names }) => [ws, names.join(' ')],
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
  const ws = await chosenWorkspace(servers, options);
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

export const addKeyCommands = (program: Command, act: Act): void => {
  const keys = program.command('keys').description('API keys');
  withLimits(keys.command('create'))
    .description('make a key; its secret is shown once')
    .option('--workspace <id>', 'the workspace it is for')
    .requiredOption('--name <text>', 'what it is for, in your words')
    .option('--permission <name>', "what it may do; repeat it for more, '*' is everything", collect, [])
    .addHelpText('after', createHelp)
    .action(act(makeKey));
  keys
    .command('list')
    .description('all keys, without their secrets')
    .option('--workspace <id>', 'only those of this workspace')
    .action(
      act((tools, { workspace: ws }: { workspace?: string }) =>
        listSecrets(tools, apiKeys, ws === undefined ? undefined : { ws }),
      ),
    );
  keys
    .command('revoke')
    .description('end a key; heard by every ingress at once')
    .argument('<id>', 'the id of the key (the part after rk_)')
    .action(act(revokeKey));
  keys
    .command('permissions')
    .description('the permissions that a key can have')
    .action(act(async () => ({ json: permissions, text: `${permissions.join('\n')}\n` })));
};
