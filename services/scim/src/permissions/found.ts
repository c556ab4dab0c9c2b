/** Finds things of the company by name or id. */
import type { CompanySettings } from '@roster/access';
import { isResource, type Resource, type Value } from '../attributes/attribute.ts';
import { badValue } from '../refusals.ts';
import { byId, byName } from './by-name.ts';

export type Workspace = CompanySettings['workspaces'][number];

interface Thing {
  id: string;
  name: string;
}

const textAt = (from: Resource, name: string): string | undefined => {
  const value = from[name];
  return typeof value === 'string' ? value : undefined;
};
export const listAt = (from: Resource, name: string): Value[] => {
  const value = from[name];
  return Array.isArray(value) ? value : [];
};
export const resourcesAt = (from: Resource, name: string): Resource[] =>
  listAt(from, name).filter(isResource);

interface Wanted {
  what: string;
  nameIn: string;
  idIn: string;
}

/** By its name; by its id only where there is no name. */
export const found = <Known extends Thing>(
  from: Resource,
  known: readonly Known[],
  wanted: Wanted,
): Known => {
  const { what, nameIn, idIn } = wanted;
  const [name, id] = [textAt(from, nameIn), textAt(from, idIn)];
  if (name === undefined && id === undefined) throw badValue(`a ${what} needs ${nameIn} or ${idIn}`);
  const thing = name === undefined ? byId(known).get(id ?? '') : byName(known).get(name);
  if (!thing) throw badValue(`there is no ${what} '${name ?? id}'`);
  return thing;
};
