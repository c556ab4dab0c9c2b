/** Permissions that name one thing several times become one. */
import type { DashboardPermissions } from '@roster/store';

export type StoredWorkspace = DashboardPermissions['workspaces'][number];

export const union = (some: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...some, ...more]),
];

/** A thing that is named twice is there once, with all that was said of it. */
export const merged = <Item extends { id: string }>(
  items: readonly Item[],
  join: (one: Item, other: Item) => Item,
): Item[] => {
  const byId = new Map<string, Item>();
  for (const item of items) {
    const known = byId.get(item.id);
    byId.set(item.id, known ? join(known, item) : item);
  }
  return [...byId.values()];
};

export type StoredTeam = StoredWorkspace['teams'][number];

export const joinTeams = (one: StoredTeam, other: StoredTeam): StoredTeam => ({
  id: one.id,
  permissions: union(one.permissions, other.permissions),
});

export const joinWorkspaces = (one: StoredWorkspace, other: StoredWorkspace): StoredWorkspace => ({
  id: one.id,
  permissions: union(one.permissions, other.permissions),
  sets: union(one.sets, other.sets),
  teams: merged([...one.teams, ...other.teams], joinTeams),
});
