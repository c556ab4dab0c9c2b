/** A dashboard user as it is sent: api.md, and RFC 7643 4.1. */
import type { CompanySettings } from '@roster/access';
import { present, scimSchemas } from '@roster/contract';
import { stampToDate } from '@roster/queue';
import type { DashboardUserDocument } from '@roster/store';
import type { Resource } from '../attributes/attribute.ts';
import { showPermissions } from '../permissions/show-permissions.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2024 Nov 11, 4:20 PM`, in UTC. */
export const signInText = (time: Date | undefined): string => {
  if (!time) return 'N/A';
  const hours = time.getUTCHours();
  const minutes = String(time.getUTCMinutes()).padStart(2, '0');
  const date = `${time.getUTCFullYear()} ${months[time.getUTCMonth()]} ${time.getUTCDate()}`;
  return `${date}, ${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
};

/** What a provisioner may set, as it stands: what a PATCH is applied to. */
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

export const showUser = (user: DashboardUserDocument, company: CompanySettings, publicUrl: string) => {
  const settings = settable(user, company);
  const { department, permissions } = settings;
  const { extension, user: core } = scimSchemas;
  return {
    schemas: user.extended ? [core, extension] : [core],
    id: user._id,
    ...settings,
    lastSignInAt: signInText(user.signed_in),
    ...(user.extended && { [extension]: present({ department, permissions }) }),
    meta: {
      resourceType: 'User',
      created: stampToDate(user.at).toISOString(),
      lastModified: stampToDate(user.changed).toISOString(),
      location: `${publicUrl}/scim/v2/Users/${user._id}`,
      version: versionOf(user),
    },
  };
};
