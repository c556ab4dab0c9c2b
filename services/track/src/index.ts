export { type Apply, type ApplyOptions, createApply } from './apply.ts';
export type { Marks, MarksFound } from './marks.ts';
export { createSettingsOf, defaultSettings, type SettingsOf, type TrackSettings } from './settings.ts';
export { startTrack } from './start.ts';
export { forgetfulMarks, lastWrittenWins } from './without-protection.ts';
