export { type Apply, type ApplyOptions, createApply } from './apply.ts';
export { createMarks, type Marks } from './marks.ts';
export { createSettingsOf, type SettingsOf } from './settings.ts';
export { defaultSettings, type TrackSettings } from './settings-in.ts';
export { startTrack } from './start.ts';
export {
  forgetfulMarks,
  lastWrittenWins,
  nobodyWaits,
  noDeletionPending,
  noLoadLimits,
  preparedUnstamped,
} from './without-protection.ts';
