export type { Access } from './admit.ts';
export { companyIn, companyScope, completeCompany } from './company.ts';
export type { CompanySettings } from './company-schema.ts';
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
export { createDirectory, type Directory } from './directory.ts';
export type { Connection } from './integration-settings.ts';
export { isIpRange } from './ip-list.ts';
export { judgeSettingsOf } from './judge-settings.ts';
export {
  createKey,
  type KeyRecord,
  parseKey,
} from './key.ts';
export { mayUse } from './may-use.ts';
export { pushOfPlatform } from './messaging-settings.ts';
export { createScimToken } from './new-scim-token.ts';
export { hashPassword, verifyPassword } from './password.ts';
export { type Everything, publishAll, refreshCopy } from './publish-all.ts';
export { publishCompany, publishKey, publishScimToken, publishWorkspace } from './publish-one.ts';
export { parseScimToken, type ScimTokenRecord } from './scim-token.ts';
export {
  completeSettings,
  limitFor,
  type Rate,
  SettingsError,
  upToDate,
  type WorkspaceSettings,
} from './settings.ts';
