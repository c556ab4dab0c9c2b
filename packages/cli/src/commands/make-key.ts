/** Makes and revokes API keys. */
import { createKey, type KeyRecord, parseKey, publishKey } from '@roster/access';
import { isPermission, permissions } from '@roster/contract';
import type { Tools } from '../act.ts';
import type { Kind } from '../list-secrets.ts';
import { pepperOf } from '../local.ts';
import type { Result } from '../result.ts';
import { type Limits, limitsOf } from '../secret-limits.ts';
import { keepSecret, revokeSecret } from '../secrets.ts';
import { suggestions } from '../suggest.ts';
import { workspaceOf } from './workspace.ts';

interface KeyOptions extends Limits {
  workspace: string;
  name: string;
  permission: string[];
}

export const apiKeys: Kind<KeyRecord> = {
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
  const { workspace: ws, name, permission } = options;
  const [pepper, now] = [pepperOf(io), io.now()];
  const limits = limitsOf('key', options, now, problemsOf(options));
  await workspaceOf(servers, ws);
  const made = createKey({ ws, name, permissions: [...new Set(permission)], ...limits, pepper, now });
  return keepSecret(tools, apiKeys, { record: made.record, text: made.key, of: `of workspace ${ws}` });
};

export const revokeKey = (tools: Tools, given: string): Promise<Result> =>
  revokeSecret(tools, apiKeys, given);
