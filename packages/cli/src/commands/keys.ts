import { createKey, isAddressRange, type KeyRecord, parseKey, publishKey } from '@roster/access';
import { isPermission, permissions } from '@roster/contract';
import type { Command } from 'commander';
import type { Act } from '../act.ts';
import { audited } from '../audited.ts';
import { pepperOf } from '../local.ts';
import { publish } from '../publish.ts';
import { failed, missing, type Result, wrong } from '../result.ts';
import type { Servers } from '../servers.ts';
import { suggestions } from '../suggest.ts';
import { table } from '../table.ts';
import { workspaceOf } from './workspace.ts';

export interface KeyOptions {
  workspace: string;
  name: string;
  permission: string[];
  ip: string[];
  expires?: string;
}

const unknownPermission = (name: string): string => {
  const near = suggestions(name, permissions);
  return near.length > 0
    ? `there is no permission ${name}; did you mean ${near.join(' or ')}?`
    : `there is no permission ${name}; "roster keys permissions" lists them, '*' is all of them`;
};

const days: Record<string, number> = { d: 1, w: 7, y: 365 };

/** A date, or a time from now: `90d`, `2w`, `1y`. */
export const expiryOf = (text: string, now: Date): string | undefined => {
  const [, count, unit] = /^(\d{1,4})([dwy])$/.exec(text) ?? [];
  const time =
    count && unit ? now.getTime() + Number(count) * (days[unit] ?? 0) * 86_400_000 : Date.parse(text);
  return Number.isFinite(time) && /\d{4}-\d\d-\d\d|^\d+[dwy]$/.test(text)
    ? new Date(time).toISOString()
    : undefined;
};

const expiryProblems = (text: string | undefined, now: Date): string[] => {
  if (text === undefined) return [];
  const expires = expiryOf(text, now);
  if (!expires) return [`--expires ${text} is no date; give one like 2027-01-31 or 90d`];
  return Date.parse(expires) <= now.getTime() ? [`--expires ${text} is already over`] : [];
};

const problemsOf = ({ permission, ip, expires }: KeyOptions, now: Date): string[] => [
  ...(permission.length === 0 ? ["a key needs a --permission at least; '*' is all of them"] : []),
  ...permission.filter((name) => name !== '*' && !isPermission(name)).map(unknownPermission),
  ...ip
    .filter((range) => !isAddressRange(range))
    .map((range) => `--ip ${range} is no address or CIDR range like 10.0.0.0/8`),
  ...expiryProblems(expires, now),
];

const withoutHash = ({ hash: _kept, ...record }: KeyRecord) => record;

export const makeKey = async (
  servers: Servers,
  options: KeyOptions,
  pepper: string,
  now: Date,
): Promise<Result> => {
  const { workspace: ws, name, permission, ip, expires } = options;
  const problems = problemsOf(options, now);
  if (problems.length > 0) throw wrong(`no key was made:\n  - ${problems.join('\n  - ')}`);
  await workspaceOf(servers, ws);
  const until = expires && expiryOf(expires, now);
  const { key, record } = createKey({
    ws,
    name,
    permissions: [...new Set(permission)],
    ips: ip,
    expires: until,
    pepper,
    now,
  });
  const store = await servers.store();
  const entry = { what: 'key.created', target: record.id, set: { ws, permissions: record.permissions }, now };
  await audited(store, entry, (session) => store.keys.put(record, session));
  await publish(servers, `key ${record.id} is saved`, (redis) => publishKey(redis, record)).catch((error) => {
    // The secret is known only here: show it, whatever else went wrong.
    throw failed(`${error.message}\nThe key, shown this once: ${key}`);
  });
  return {
    json: { key, ...withoutHash(record) },
    text: `${key}\n`,
    notes: [
      `Key ${record.id} ("${name}") of workspace ${ws}. Keep it now: it is shown this once and stored nowhere.`,
    ],
  };
};

const stateOf = (record: KeyRecord, now: Date): string => {
  if (record.revoked) return `revoked ${record.revoked.slice(0, 10)}`;
  if (!record.expires) return 'active';
  return Date.parse(record.expires) <= now.getTime() ? 'expired' : `until ${record.expires.slice(0, 10)}`;
};

const rowOf = (record: KeyRecord, now: Date): string[] => [
  record.id,
  record.ws,
  record.name,
  stateOf(record, now),
  record.permissions.join(' '),
  record.ips?.join(' ') ?? 'any',
];

const listKeys = async (servers: Servers, workspace: string | undefined, now: Date): Promise<Result> => {
  const some = await (await servers.store()).keys.list<KeyRecord>(
    workspace === undefined ? undefined : { ws: workspace },
  );
  const head = ['ID', 'WORKSPACE', 'NAME', 'STATE', 'PERMISSIONS', 'FROM'];
  return {
    json: some.map(withoutHash),
    text: table(
      head,
      some.map((record) => rowOf(record, now)),
    ),
  };
};

/** Twice is fine, and tells the ingress again. A whole key may be given for its id. */
export const revokeKey = async (servers: Servers, given: string, now: Date): Promise<Result> => {
  const id = parseKey(given)?.id ?? given;
  const store = await servers.store();
  const record = await store.keys.get<KeyRecord>(id);
  if (!record) throw missing(`there is no key ${id}. "roster keys list" shows them.`);
  const revoked = { ...record, revoked: record.revoked ?? now.toISOString() };
  const entry = { what: 'key.revoked', target: id, set: { ws: record.ws }, now };
  if (!record.revoked) await audited(store, entry, (session) => store.keys.put(revoked, session));
  await publish(servers, `key ${id} is revoked`, (redis) => publishKey(redis, revoked));
  const text = record.revoked
    ? `key ${id} had been revoked ${record.revoked}\n`
    : `key ${id} ("${record.name}") is revoked\n`;
  return { json: withoutHash(revoked), text };
};

const collect = (value: string, before: string[]): string[] => [
  ...before,
  ...value.split(',').filter(Boolean),
];

const createHelp = `
The key is printed alone on standard output, so that a script can take it.

Examples:
  $ roster keys create --workspace shop --name backend --permission users.track --permission users.export.ids
  $ roster keys create --workspace shop --name admin --permission '*' --ip 10.0.0.0/8 --expires 90d
  $ KEY=$(roster keys create --workspace shop --name ci --permission users.track)`;

export const addKeyCommands = (program: Command, act: Act): void => {
  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .description('make a key; its secret is shown once')
    .requiredOption('--workspace <id>', 'the workspace it is for')
    .requiredOption('--name <text>', 'what it is for, in your words')
    .option('--permission <name>', "what it may do; repeat it for more, '*' is everything", collect, [])
    .option(
      '--ip <address>',
      'from where it may be used: addresses or CIDR ranges; repeat it for more',
      collect,
      [],
    )
    .option('--expires <when>', 'until when: a date, or 90d, 2w, 1y from now')
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
