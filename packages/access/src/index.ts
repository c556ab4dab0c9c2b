export { isAddressRange } from './address.ts';
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
export {
  type Changes,
  type Everything,
  publishAll,
  publishKey,
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
