/** The row of the audit log about a change. */
import { isDeepStrictEqual } from 'node:util';
import type { AcceptedRequest } from '@roster/contract';
import type { AuditEntry } from '@roster/store';
import type { User } from './user-version.ts';

/** Attributes that the audit log keeps with their values: they tell what a user may do, and identify no person. */
const told = ['active', 'department', 'permissions'] as const;

export const entryOf = (
  request: AcceptedRequest,
  what: string,
  target: string,
  company: string,
): AuditEntry => ({
  at: request.at,
  by: `scim:${request.by ?? 'unknown'}`,
  what,
  target,
  company,
  request: request.id,
});

export const changedFields = (before: Partial<User>, after: Partial<User>): string[] => {
  const ours = [
    'changed',
    'said',
    'rev',
    'at',
    '_id',
    'company',
    'signed_in',
    'password',
    'extended',
    'active_unset',
  ];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof User)[];
  return names.filter((name) => !ours.includes(name) && !isDeepStrictEqual(before[name], after[name]));
};

export const toldOf = (user: User, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(told.filter((name) => fields.includes(name)).map((name) => [name, user[name] ?? null]));

export const whatOf = (before: User, after: User): string => {
  if (before.active === after.active) return 'user.changed';
  return after.active ? 'user.reactivated' : 'user.deactivated';
};
