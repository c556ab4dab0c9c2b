/** From the body of a POST or PUT, or from what a PATCH has made, to what is kept of a user. */
import { type CompanySettings, isDepartment } from '@roster/access';
import { isEmail, present, scimSchemas } from '@roster/contract';
import type { DashboardEmail, DashboardUserDocument, ownMembers } from '@roster/store';
import { isResource, type Resource, type ScimValue, textAt } from '../attributes/attribute.ts';
import { canonical } from '../attributes/canonical.ts';
import { userAttributes } from '../attributes/user-attributes.ts';
import { hasSchema, member } from '../patch/operations.ts';
import { defaultPermissions, resolvePermissions } from '../permissions/resolve-permissions.ts';
import { badSyntax, badValue, fixedAttribute } from '../refusals.ts';

/** What a provisioner decides about a user; the rest is ours. */
export type Settable = Omit<
  DashboardUserDocument,
  '_id' | 'company' | 'at' | 'changed' | 'said' | 'rev' | (typeof ownMembers)[number]
>;

const departmentIn = (from: Resource): string | undefined => {
  const department = textAt(from, 'department');
  if (department !== undefined && !isDepartment(department))
    throw badValue(`there is no department '${department}'`);
  return department;
};

const emailOf = (given: ScimValue, index: number): DashboardEmail => {
  const email = isResource(given) ? given : {};
  const value = textAt(email, 'value');
  if (!value || !isEmail(value)) throw badValue(`emails[${index}].value must be an email address`);
  const type = textAt(email, 'type');
  const { primary } = email;
  return { value, ...present({ type }), ...(typeof primary === 'boolean' && { primary }) };
};

/** Entries with the same email and kind are one; of several primary ones the last counts. */
const emailsIn = (from: Resource): DashboardEmail[] | undefined => {
  if (!Array.isArray(from.emails)) return undefined;
  const all = from.emails.map(emailOf);
  const once = [
    ...new Map(all.map((email) => [`${email.type}\n${email.value.toLowerCase()}`, email])).values(),
  ];
  const main = once.findLast((email) => email.primary);
  return once.map((email) => (email.primary && email !== main ? { ...email, primary: false } : email));
};

const userNameIn = (from: Resource): string => {
  const userName = textAt(from, 'userName')?.trim();
  if (!userName) throw badValue('userName is required');
  if (userName.length > 255) throw badValue('userName must not be longer than 255 characters');
  if (!isEmail(userName)) throw badValue('userName must be an email address');
  return userName;
};

const nameIn = (from: Resource): NonNullable<Settable['name']> => {
  const { name } = from;
  const parts = isResource(name) ? name : {};
  return present({
    formatted: textAt(parts, 'formatted'),
    familyName: textAt(parts, 'familyName'),
    givenName: textAt(parts, 'givenName'),
  });
};

/** `from` holds known attributes with values of their types. */
export const settableIn = (from: Resource, company: CompanySettings, extended: boolean): Settable => {
  const [externalId, displayName] = ['externalId', 'displayName'].map((name) => textAt(from, name));
  const [department, emails] = [departmentIn(from), emailsIn(from)];
  return {
    userName: userNameIn(from),
    name: nameIn(from),
    active: from.active === true,
    ...(from.active === undefined && { active_unset: true }),
    ...present({ externalId, displayName, emails, department }),
    ...(isResource(from.permissions) && { permissions: resolvePermissions(from.permissions, company) }),
    ...(extended && { extended }),
  };
};

const extensionIn = (body: object): object => {
  const value = member(body, scimSchemas.extension.toLowerCase());
  return isResource(value) ? value : {};
};

/** What stands beside the others counts before what stands in the extension. */
const attributesIn = (body: object, company: CompanySettings): Resource => {
  const attributes = userAttributes(company);
  const { department, permissions } = canonical(attributes, extensionIn(body));
  return { ...present({ department, permissions }), ...canonical(attributes, body) };
};

/** The whole of a user. On a PUT, what must not change by being left out is as it was `before`. */
export const userIn = (body: object, company: CompanySettings, before?: Settable): Settable => {
  if (!hasSchema(body, scimSchemas.user)) throw badSyntax(`schemas must hold ${scimSchemas.user}`);
  const given = attributesIn(body, company);
  if (!hasMember(body, 'name')) throw badValue('name is required');
  assertSameUser(given, before);
  const kept = before ? { userName: before.userName, active: before.active } : { active: true };
  const user = settableIn({ ...kept, ...given }, company, hasSchema(body, scimSchemas.extension));
  for (const part of requiredParts) if (!user.name?.[part]) throw badValue(`name.${part} is required`);
  return { ...user, permissions: user.permissions ?? defaultPermissions(company) };
};

/** A PATCH must not take away what a user has to have; a user from before this was required may go on without it. */
export const assertNameKept = (before: Settable, after: Settable): void => {
  for (const part of requiredParts)
    if (before.name?.[part] && !after.name?.[part])
      throw fixedAttribute(`'name.${part}' is required and cannot be removed`);
};

const requiredParts = ['givenName', 'familyName'] as const;

/** A PUT cannot rename; in another letter case it is the same name. */
const assertSameUser = (given: Resource, before: Settable | undefined): void => {
  const userName = textAt(given, 'userName')?.trim();
  if (before && userName && userName.toLowerCase() !== before.userName.toLowerCase())
    throw fixedAttribute('userName cannot be changed by a PUT; a PATCH can change it');
};

const hasMember = (body: object, name: string): boolean =>
  Object.entries(body).some(([key, value]) => key.toLowerCase() === name && isResource(value));
