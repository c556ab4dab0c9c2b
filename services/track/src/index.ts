export { type Apply, type ApplyRound, applyInTime, createApply, type TrackApplyOptions } from './apply.ts';
export { createSettingsOf, defaultSettings, type SettingsOf, type TrackSettings } from './settings.ts';
export { startTrack } from './start.ts';
export {
  forgetfulMarks,
  lastWrittenWins,
  nobodyWaits,
  noDeletionPending,
  noLoadLimits,
  preparedUnstamped,
} from './without-protection.ts';
export { assertTimely, createMarks, type Marks } from './work.ts';
