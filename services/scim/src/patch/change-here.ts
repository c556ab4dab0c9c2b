/** The end of a path: the attribute itself is added to, replaced or removed. RFC 7644 3.5.2.1 to 3.5.2.3. */
import { type Attribute, isResource, type Resource, type ScimValue } from '../attributes/attribute.ts';
import { fitting } from '../attributes/canonical.ts';
import { stepsOf, weightOf } from '../work.ts';
import type { PatchChange } from './change.ts';
import { addToList, assign, removeFromList, withOnePrimary } from './lists.ts';

/** Sub-attributes that are named are set, also with `add`; those that are not stay as they are. */
const mergeInto = (node: Resource, name: string, value: ScimValue | undefined): void => {
  if (!isResource(value)) {
    delete node[name];
    return;
  }
  const before = node[name];
  node[name] = { ...(isResource(before) ? before : {}), ...value };
};

const replaceHere = (node: Resource, name: string, value: ScimValue | undefined): void =>
  assign(node, name, Array.isArray(value) ? withOnePrimary(value, value) : value);

export const changeHere = (node: Resource, attribute: Attribute, change: PatchChange): void => {
  const { op, value, path, work } = change;
  const { name, many } = attribute;
  const wanted = op === 'remove' && !many ? undefined : fitting(attribute, value, path);
  work.spend((weightOf(wanted) + (many ? weightOf(node[name]) : 1)) * stepsOf.match);
  if (op === 'remove' && many) removeFromList(node, name, wanted);
  else if (op === 'remove') delete node[name];
  else if (op === 'add' && many) addToList(node, attribute, change, wanted);
  else if (attribute.type === 'complex' && !many) mergeInto(node, name, wanted);
  else replaceHere(node, name, wanted);
};
