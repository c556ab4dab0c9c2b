/** /Schemas: RFC 7643 section 7. Made from the attributes to which requests are held. */
import { scimSchemas } from '@roster/contract';
import type { Attribute } from '../attributes/attribute.ts';
import { coreAttributes, ownAttributes, workspaceAttributes } from '../attributes/user-attributes.ts';
import type { CallContext } from '../handler.ts';

/** SCIM has no name for what is nested deeper (RFC 7643 2.3.8), and clients refuse a schema in which it is. */
const deepest = 2;

const isTooDeep = ({ type }: Attribute, depth: number): boolean => type === 'complex' && depth > deepest;

const describe = (attribute: Attribute, depth: number): object => {
  const { name, type, description, values, sub } = attribute;
  return {
    name,
    type,
    multiValued: attribute.many === true,
    description,
    required: attribute.required === true,
    ...(values && values.length > 0 && { canonicalValues: values }),
    ...(type !== 'boolean' && type !== 'complex' && { caseExact: attribute.caseExact === true }),
    mutability: attribute.readOnly ? 'readOnly' : 'readWrite',
    returned: attribute.always ? 'always' : 'default',
    uniqueness: attribute.unique ? 'server' : 'none',
    ...(sub && {
      subAttributes: sub
        .filter((part) => !isTooDeep(part, depth + 1))
        .map((part) => describe(part, depth + 1)),
    }),
  };
};

export const schemasOf = ({ company, publicUrl }: Pick<CallContext, 'company' | 'publicUrl'>) =>
  [
    {
      id: scimSchemas.user,
      name: 'User',
      description: 'A dashboard user: a person who may sign in to Roster.',
      attributes: coreAttributes(company),
    },
    {
      id: scimSchemas.extension,
      name: 'RosterUser',
      description:
        'What Roster adds to a user, for provisioners that want it in a schema of its own. The same as the attributes of these names beside the others.',
      attributes: ownAttributes(company),
    },
    {
      id: scimSchemas.workspace,
      name: 'RosterWorkspace',
      description:
        'An element of permissions.appGroup with all that it holds; a schema of users cannot nest it so deep.',
      attributes: workspaceAttributes(company),
    },
  ].map(({ attributes, ...about }) => ({
    schemas: [scimSchemas.schema],
    ...about,
    attributes: attributes.map((attribute) => describe(attribute, 1)),
    meta: { resourceType: 'Schema', location: `${publicUrl}/scim/v2/Schemas/${about.id}` },
  }));
