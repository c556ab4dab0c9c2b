/** A dashboard user as it is sent: api.md, and RFC 7643 4.1. */
import type { CompanySettings } from '@roster/access';
import { scimSchemas } from '@roster/contract';
import type { DashboardUserDocument } from '@roster/store';
import type { Resource, Value } from '../attributes/attribute.ts';
import { showPermissions } from '../permissions/show-permissions.ts';
import { signInText, timeOf } from './user-texts.ts';

const present = (from: Record<string, Value | undefined>): Resource =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined));

/** The settable members of a user: a PATCH is applied to them. */
export const settable = (user: DashboardUserDocument, company: CompanySettings): Resource => {
  const { externalId, userName, name, displayName, active, emails, department, permissions } = user;
  return present({
    externalId,
    userName,
    name: name && { ...name },
    displayName,
    active: user.active_unset ? undefined : active,
    emails: emails?.map((email) => ({ ...email })),
    department,
    permissions: permissions && showPermissions(permissions, company),
  });
};

export const versionOf = ({ rev }: DashboardUserDocument): string => `W/"${rev}"`;

/** The members that the extension repeats. */
const extensionOf = ({ department, permissions }: Resource): Resource => present({ department, permissions });

export const showUser = (
  user: DashboardUserDocument,
  company: CompanySettings,
  publicUrl: string,
): Resource => {
  const settings = settable(user, company);
  const { extension, user: core } = scimSchemas;
  return {
    schemas: user.extended ? [core, extension] : [core],
    id: user._id,
    ...settings,
    lastSignInAt: signInText(user.signed_in),
    ...(user.extended && { [extension]: extensionOf(settings) }),
    meta: {
      resourceType: 'User',
      created: timeOf(user.at),
      lastModified: timeOf(user.changed),
      location: `${publicUrl}/scim/v2/Users/${user._id}`,
      version: versionOf(user),
    },
  };
};
