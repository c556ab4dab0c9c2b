/** What a worker wants to know of the settings of workspaces: from MongoDB, at most so old. */
import { usualProfileBytes } from '@roster/profile';
import type { Identifiable, Records } from './records.ts';

/** At once when it is known, which is nearly always. */
export type SettingsOf<Settings> = (ws: string) => Settings | Promise<Settings>;

/** `read` makes them of what is stored, perhaps by an earlier version; of nothing when there is no such workspace. */
export const createSettingsOf = <Stored extends Identifiable, Settings>(
  { get }: Pick<Records, 'get'>,
  read: (stored: Stored | undefined) => Settings,
  maxAgeMs = 5_000,
): SettingsOf<Settings> => {
  const kept = new Map<string, { settings: Settings; until: number }>();

  const readAnew = async (ws: string): Promise<Settings> => {
    const settings = read(await get<Stored>(ws));
    kept.set(ws, { settings, until: performance.now() + maxAgeMs });
    return settings;
  };

  return (ws) => {
    const known = kept.get(ws);
    return known && performance.now() < known.until ? known.settings : readAnew(ws);
  };
};

/** Those of each workspace of a batch. */
export const settingsOfAll = async <Settings>(
  requests: readonly { ws: string }[],
  settingsOf: SettingsOf<Settings>,
): Promise<ReadonlyMap<string, Settings>> => {
  const all = new Map<string, Settings>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await settingsOf(ws));
  return all;
};

export const defaultOutcomeDays = 30;

/** What a workspace may say of these things. */
interface Stored extends Identifiable {
  retention?: { outcome_days?: number; keep_consent_proof?: boolean };
  track?: { max_profile_bytes?: number };
  limits?: { [pool: string]: { requests: number; seconds: number } };
}

const reading =
  <Settings>(read: (stored: Stored | undefined) => Settings) =>
  (workspaces: Pick<Records, 'get'>): SettingsOf<Settings> =>
    createSettingsOf<Stored, Settings>(workspaces, read);

/** How long the outcomes of a workspace are kept, and with them tombstones: nothing that was accepted before lives longer. */
export const createOutcomeDaysOf = reading((stored) => stored?.retention?.outcome_days ?? defaultOutcomeDays);

/** How many bytes a profile of a workspace may take. */
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
