export { type CompanySettings, companyIn, companyScope, completeCompany } from './company.ts';
export {
  appPermissions,
  companyPermissions,
  departments,
  isAppPermission,
  isCompanyPermission,
  isDepartment,
  isTeamPermission,
  teamPermissions,
} from './dashboard-permissions.ts';
export { type Access, createDirectory, type Directory } from './directory.ts';
export type { Connection } from './integration-settings.ts';
export { createInvite, inviteId, oneTimeTokens } from './invite.ts';
export { createKey, type KeyRecord, parseKey } from './key.ts';
export { isIpRange, mayUse } from './may-use.ts';
export { pushOf } from './messaging-settings.ts';
export { hashPassword, verifyPassword } from './password.ts';
export { credentialFile } from './schema-parts.ts';
export { createScimToken, parseScimToken, type ScimTokenRecord } from './scim-token.ts';
export {
  type Everything,
  everythingIn,
  publishCompany,
  publishKey,
  publishScimToken,
  publishWorkspace,
  refreshCopy,
} from './serving-copy.ts';
export {
  completeSettings,
  judgeSettingsOf,
  limitFor,
  type Rate,
  SettingsError,
  storedSettings,
  upToDate,
  type WorkspaceSettings,
} from './settings.ts';
export { whyInvalid } from './why-invalid.ts';
