/** From a name on the wire to the attributes that it stands for. */
import { scimSchemas } from '@roster/contract';
import { type Attribute, findAttribute } from './attribute.ts';

/** The attributes from the outside in: `name.givenName` is two. */
export type Chain = [Attribute, ...Attribute[]];

const prefixes = [scimSchemas.user, scimSchemas.extension].map((schema) => `${schema.toLowerCase()}:`);

/** `urn:...:User:userName` is `userName`; the same goes for our extension, which repeats the attributes of the user. */
export const withoutSchema = (name: string): string => {
  const lower = name.toLowerCase();
  const prefix = prefixes.find((known) => lower.startsWith(known));
  return prefix ? name.slice(prefix.length) : name;
};

export const isExtension = (name: string): boolean =>
  name.toLowerCase() === scimSchemas.extension.toLowerCase();

export const findChain = (attributes: readonly Attribute[], name: string): Chain | undefined => {
  const chain: Attribute[] = [];
  let level = attributes;
  for (const part of withoutSchema(name).split('.')) {
    const found = findAttribute(level, part);
    if (!found) return undefined;
    chain.push(found);
    level = found.sub ?? [];
  }
  const [first, ...rest] = chain;
  return first && [first, ...rest];
};

/** Attributes that RFC 7643 gives users and Roster does not keep. Provisioners send them; to refuse them would stop their work. */
const foreign = new Set(
  'nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses groups entitlements roles x509certificates'.split(
    ' ',
  ),
);
const foreignSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';
const foreignNameParts = new Set(['middlename', 'honorificprefix', 'honorificsuffix']);

export const isForeign = (path: string): boolean => {
  if (path.toLowerCase().startsWith(foreignSchema)) return true;
  const [first = '', second = ''] = withoutSchema(path).toLowerCase().split(/[.[]/, 2);
  return foreign.has(first) || (first === 'name' && foreignNameParts.has(second));
};
