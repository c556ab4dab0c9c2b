import { createKey, type KeyRecord, parseKey, publishKey } from '@roster/access';
import { isPermission, permissions } from '@roster/contract';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import {
  checkSecret,
  collect,
  expiryOf,
  type Kind,
  keepSecret,
  revokeSecret,
  stateOf,
  withLimits,
  withoutHash,
} from '../secrets.ts';
import type { Servers } from '../servers.ts';
import { suggestions } from '../suggest.ts';
import { table } from '../table.ts';
import { workspaceOf } from './workspace.ts';

interface KeyOptions {
  workspace: string;
  name: string;
  permission: string[];
  ip: string[];
  expires?: string;
}

const apiKeys: Kind<KeyRecord> = {
  noun: 'key',
  list: 'roster keys list',
  audited: 'key',
  records: ({ keys }) => keys,
  publish: publishKey,
  row: ({ ws, permissions: names, revoked }) => ({ set: revoked ? { ws } : { ws, permissions: names } }),
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

export const makeKey = async (
  servers: Servers,
  options: KeyOptions,
  pepper: string,
  now: Date,
): Promise<Result> => {
  const { workspace: ws, name, permission, ip: ips, expires } = options;
  checkSecret('key', problemsOf(options), options, now);
  await workspaceOf(servers, ws);
  const until = expires && expiryOf(expires, now);
  const names = [...new Set(permission)];
  const { key, record } = createKey({ ws, name, permissions: names, ips, expires: until, pepper, now });
  return keepSecret(servers, apiKeys, { record, text: key, whose: `of workspace ${ws}`, now });
};

/** A whole key may be given for its id. */
export const revokeKey = (servers: Servers, given: string, now: Date): Promise<Result> =>
  revokeSecret(servers, apiKeys, parseKey(given)?.id ?? given, now);

const listKeys = async (servers: Servers, workspace: string | undefined, now: Date): Promise<Result> => {
  const filter = workspace === undefined ? undefined : { ws: workspace };
  const some = await (await servers.store()).keys.list<KeyRecord>(filter);
  const rows = some.map((record) => [
    record.id,
    record.ws,
    record.name,
    stateOf(record, now),
    record.permissions.join(' '),
    record.ips?.join(' ') ?? 'any',
  ]);
  return {
    json: some.map(withoutHash),
    text: table(['ID', 'WORKSPACE', 'NAME', 'STATE', 'PERMISSIONS', 'FROM'], rows),
  };
};

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
    .requiredOption('--workspace <id>', 'the workspace it is for')
    .requiredOption('--name <text>', 'what it is for, in your words')
    .option('--permission <name>', "what it may do; repeat it for more, '*' is everything", collect, [])
    .addHelpText('after', createHelp)
    .action(act(({ servers, io }, options: KeyOptions) => makeKey(servers, options, pepperOf(io), io.now())));
  keys
    .command('list')
    .description('all keys, without their secrets')
    .option('--workspace <id>', 'only those of this workspace')
    .action(
      act(({ servers, io }, options: { workspace?: string }) =>
        listKeys(servers, options.workspace, io.now()),
      ),
    );
  keys
    .command('revoke')
    .description('end a key; heard by every ingress at once')
    .argument('<id>', 'the id of the key (the part after rk_)')
    .action(act(({ servers, io }, id: string) => revokeKey(servers, id, io.now())));
  keys
    .command('permissions')
    .description('the permissions that a key can have')
    .action(act(async () => ({ json: permissions, text: `${permissions.join('\n')}\n` })));
};
