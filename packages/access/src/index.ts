export { isAddressRange } from './address.ts';
export {
  type CompanySettings,
  CompanySettingsSchema,
  companyIn,
  companyScope,
  completeCompany,
} from './company.ts';
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
export {
  type Access,
  createDirectory,
  type Denied,
  type Directory,
  type DirectoryOptions,
  type Granted,
} from './directory.ts';
export {
  createKey,
  hashSecret,
  type KeyRecord,
  type NewKey,
  type ParsedKey,
  parseKey,
  type Random,
  verifyKey,
} from './key.ts';
export { mayUse, type Refusal, type Use } from './may-use.ts';
export { hashPassword, type PasswordHash, verifyPassword } from './password.ts';
export type { ScimAccess, ScimCaller, ServedCompany } from './scim-gate.ts';
export {
  createScimToken,
  mayUseScimToken,
  type NewScimToken,
  normalizeOrigin,
  parseScimToken,
  type ScimTokenRecord,
  verifyScimToken,
} from './scim-token.ts';
export {
  type Changes,
  type Everything,
  publishAll,
  publishCompany,
  publishKey,
  publishScimToken,
  publishWorkspace,
  refreshCopy,
} from './serving-copy.ts';
export {
  completeSettings,
  limitFor,
  type PartialSettings,
  type Rate,
  SettingsError,
  upToDate,
  type WorkspaceSettings,
  WorkspaceSettingsSchema,
} from './settings.ts';
