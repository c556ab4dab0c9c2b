/** Applies the operations of a PATCH, all or none, to a copy of a resource: RFC 7644 3.5.2. */
import { isJsonObject } from '@roster/contract';
import type { Attribute, Resource } from '../attributes/attribute.ts';
import { isExtension, isForeign } from '../attributes/names.ts';
import { fixedAttribute } from '../refusals.ts';
import type { ScimWork } from '../work.ts';
import type { PatchChange, PatchOperation } from './operations.ts';
import { type PatchPath, parsePath } from './path.ts';
import { walk } from './walk.ts';

const assertMayChange = (steps: PatchPath, { op, value, path }: PatchChange): void => {
  if (steps.some(({ attribute }) => attribute.readOnly))
    throw fixedAttribute(`'${path}' is set by the service and cannot be changed`);
  const [first] = steps;
  const isUnset = op === 'remove' || value === null || value === '';
  if (isUnset && steps.length === 1 && first.attribute.required)
    throw fixedAttribute(`'${path}' is required and cannot be removed`);
};

const changeAt = (attributes: readonly Attribute[], resource: Resource, change: PatchChange): void => {
  if (isForeign(change.path)) return;
  const steps = parsePath(attributes, change.path);
  assertMayChange(steps, change);
  walk(resource, steps, change);
};

/** Names that an object without a path may hold: our attributes, also as paths. Everything else in it is passed over, as on creation. */
const isOurs = (attributes: readonly Attribute[], name: string): boolean => {
  try {
    return !isForeign(name) && !parsePath(attributes, name).some(({ attribute }) => attribute.readOnly);
  } catch {
    return false;
  }
};

const changeAll = (attributes: readonly Attribute[], resource: Resource, change: PatchChange): void => {
  const { value } = change;
  if (!isJsonObject(value)) return;
  const members = Object.entries(value);
  change.work.spend(members.length);
  for (const [name, part] of members) {
    const member = { ...change, value: part, path: name };
    if (isExtension(name)) changeAll(attributes, resource, member);
    else if (isOurs(attributes, name)) changeAt(attributes, resource, member);
  }
};

/** Our extension holds attributes of the user once more: its removal is theirs. */
const changeExtension = (attributes: readonly Attribute[], resource: Resource, change: PatchChange): void => {
  if (change.op !== 'remove') changeAll(attributes, resource, change);
  else for (const path of ['department', 'permissions']) changeAt(attributes, resource, { ...change, path });
};

export const applyPatch = async (
  attributes: readonly Attribute[],
  resource: Resource,
  operations: readonly PatchOperation[],
  work: ScimWork,
): Promise<Resource> => {
  const copy = structuredClone(resource);
  for (const { op, path, value } of operations) {
    await work.breathe();
    const change: PatchChange = { op, value, path: path ?? '', work };
    if (path === undefined) changeAll(attributes, copy, change);
    else if (isExtension(path)) changeExtension(attributes, copy, change);
    else changeAt(attributes, copy, change);
  }
  return copy;
};
