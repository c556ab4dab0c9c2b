/** What was sent, in the form that is kept: known attributes under their own names, values of their types; or a refusal that names the place. */
import { limits } from '../limits.ts';
import { badValue } from '../refusals.ts';
import { type Attribute, findAttribute, isResource, type Resource, type ScimValue } from './attribute.ts';

const longest = 1000;

const text = (value: unknown, place: string): string => {
  if (typeof value !== 'string') throw badValue(`${place} must be a string`);
  if (value.length > longest) throw badValue(`${place} must not be longer than ${longest} characters`);
  if (/\p{Surrogate}|\0/u.test(value)) throw badValue(`${place} holds characters that no text has`);
  return value;
};

/** Some provisioners send booleans as texts. */
const truth = (value: unknown, place: string): boolean => {
  const said = typeof value === 'string' ? value.toLowerCase() : value;
  if (said === true || said === 'true') return true;
  if (said === false || said === 'false') return false;
  throw badValue(`${place} must be true or false`);
};

/** Values from callers are bounded; stored values may be larger, from before there were bounds. */
type Origin = 'sent' | 'stored';

const one = (attribute: Attribute, value: unknown, place: string, origin: Origin): ScimValue | undefined => {
  if (attribute.type === 'boolean') return truth(value, place);
  if (attribute.type !== 'complex') return text(value, place) || undefined;
  if (!isResource(value)) throw badValue(`${place} must be an object`);
  const parts = canonical(attribute.sub ?? [], value, `${place}.`, origin);
  // In a list even an empty one says something: `appGroup: [{}]` is the default workspace.
  return attribute.many || Object.keys(parts).length > 0 ? parts : undefined;
};

/** Before a list is read, and after a PATCH has made it longer. */
export const assertNotTooMany = ({ most = 'values' }: Attribute, count: number, place: string): void => {
  if (count > limits[most]) throw badValue(`${place} must not have more than ${limits[most]} elements`);
};

/** `null` and empty lists are "no value": RFC 7643 2.5. */
export const fitting = (attribute: Attribute, value: unknown, place: string, origin: Origin = 'sent') => {
  if (value === null || value === undefined) return undefined;
  if (!attribute.many) return one(attribute, value, place, origin);
  const given = Array.isArray(value) ? value : [value];
  if (origin === 'sent') assertNotTooMany(attribute, given.length, place);
  const values = given.map((item, index) => one(attribute, item, `${place}[${index}]`, origin));
  const present = values.filter((item) => item !== undefined);
  return present.length > 0 ? present : undefined;
};

/** What is unknown, or only for reading, is passed over. */
export const canonical = (
  attributes: readonly Attribute[],
  given: object,
  place = '',
  origin: Origin = 'sent',
): Resource => {
  const members = Object.entries(given);
  if (members.length > limits.members)
    throw badValue(`${place.slice(0, -1) || 'a user'} must not have more than ${limits.members} members`);
  const kept: Resource = {};
  for (const [name, value] of members) {
    const attribute = findAttribute(attributes, name);
    if (!attribute || attribute.readOnly) continue;
    const fit = fitting(attribute, value, `${place}${attribute.name}`, origin);
    if (fit !== undefined) kept[attribute.name] = fit;
  }
  return kept;
};
