/** The settings of a company: the workspaces, teams, roles and permission sets that dashboard users are given. */
import { createHash } from 'node:crypto';
import { problemsOf } from './company-problems.ts';
import { type CompanySettings, CompanySettingsSchema, type Given } from './company-schema.ts';
import { checkedSettings, SettingsError } from './settings.ts';

/** The same name gives the same id, today and in a year. */
const idOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);

const withIds = (given: Given): CompanySettings => ({
  ...given,
  workspaces: given.workspaces.map((workspace) => {
    const own = workspace.id ?? idOf(given.id, 'workspace', workspace.name);
    const teams = workspace.teams.map((team) => ({ ...team, id: team.id ?? idOf(own, 'team', team.name) }));
    return { ...workspace, id: own, teams };
  }),
  roles: given.roles.map((role) => ({ ...role, id: role.id ?? idOf(given.id, 'role', role.name) })),
  permission_sets: given.permission_sets.map((set) => ({
    ...set,
    id: set.id ?? idOf(given.id, 'permission_set', set.name),
  })),
});

/** Fills in the defaults and the ids and checks everything at once; throws a SettingsError that names every wrong place. */
export const completeCompany = (input: unknown): CompanySettings => {
  const company = withIds(checkedSettings(CompanySettingsSchema, input));
  const problems = problemsOf(company);
  if (problems.length > 0) throw new SettingsError(problems);
  return company;
};

/** In queues and limits a company stands where a workspace would, and must not be taken for one. */
export const companyScope = (id: string): string => `company:${id}`;
export const companyIn = (scope: string): string => scope.replace(/^company:/, '');
