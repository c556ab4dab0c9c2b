/** Single settings of workspaces, as workers ask for them. */
import { usualProfileBytes } from '@roster/profile';
import type { Identifiable, Records } from './records.ts';
import { createSettingsOf, type SettingsOf } from './settings-of.ts';

export const defaultOutcomeDays = 30;

/** The settings of a workspace that are read here. */
interface Stored extends Identifiable {
  retention?: { outcome_days?: number; keep_consent_proof?: boolean };
  track?: { max_profile_bytes?: number };
  limits?: { [pool: string]: { requests: number; seconds: number } };
}

const reading =
  <Settings>(read: (stored: Stored | undefined) => Settings) =>
  (workspaces: Pick<Records, 'get'>): SettingsOf<Settings> =>
    createSettingsOf<Stored, Settings>(workspaces, read);

/** How long the outcomes of a workspace are kept, and with them tombstones: a tombstone expires no earlier than any request accepted before it. */
export const createOutcomeDaysOf = reading((stored) => stored?.retention?.outcome_days ?? defaultOutcomeDays);

/** The bound of the bytes of a profile in a workspace. */
export const createProfileBytesOf = reading(
  (stored) => stored?.track?.max_profile_bytes ?? usualProfileBytes,
);

/** Whether a workspace keeps proof of the consent of people who are deleted. */
export const createKeepsProofOf = reading((stored) => stored?.retention?.keep_consent_proof === true);

/** The rate limit of a pool in a workspace: its own, else the usual one. */
export const createLimitOf = <Limit extends { pool: string; requests: number; seconds: number }>(
  workspaces: Pick<Records, 'get'>,
  usual: Limit,
): SettingsOf<Limit> => reading((stored) => ({ ...usual, ...stored?.limits?.[usual.pool] }))(workspaces);
