/** The settings of workspaces for a worker: from MongoDB, with a bound on their age. */
import { usualProfileBytes } from '@roster/profile';
import type { Identifiable, Records } from './records.ts';

/** A plain value if it is cached, which is nearly always so; else a promise. */
export type SettingsOf<Settings> = (ws: string) => Settings | Promise<Settings>;

/** They are read again before they are too old, so that nobody waits for those that are in use. */
const freshShare = 1 / 2;

/**
 * `read` makes the settings from the stored record, or from `undefined` for an unknown workspace. Their age counts from the question. Many who
 * ask at once are one question: the messages of a turn would fill all connections to a slow MongoDB.
 */
export const createSettingsOf = <StoredWorkspaceSettings extends Identifiable, Settings>(
  { get }: Pick<Records, 'get'>,
  read: (stored: StoredWorkspaceSettings | undefined) => Settings,
  maxAgeMs = 5_000,
): SettingsOf<Settings> => {
  const kept = new Map<string, { settings: Settings; askedAt: number }>();
  const asked = new Map<string, Promise<Settings>>();

  const ask = async (ws: string): Promise<Settings> => {
    const askedAt = performance.now();
    const settings = read(await get<StoredWorkspaceSettings>(ws));
    kept.set(ws, { settings, askedAt });
    return settings;
  };

  const readAnew = (ws: string): Promise<Settings> => {
    const asking = asked.get(ws) ?? ask(ws).finally(() => asked.delete(ws));
    asked.set(ws, asking);
    return asking;
  };

  return (ws) => {
    const known = kept.get(ws);
    const age = known ? performance.now() - known.askedAt : maxAgeMs;
    if (!known || age >= maxAgeMs) return readAnew(ws);
    // Whoever needs them when they are too old hears of a failure.
    if (age >= maxAgeMs * freshShare) readAnew(ws).catch(() => {});
    return known.settings;
  };
};

/** The settings of each workspace of a batch. */
export const settingsOfAll = async <Settings>(
  requests: readonly { ws: string }[],
  settingsOf: SettingsOf<Settings>,
): Promise<ReadonlyMap<string, Settings>> => {
  const all = new Map<string, Settings>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await settingsOf(ws));
  return all;
};

export const defaultOutcomeDays = 30;

/** The settings of a workspace that are read here. */
interface StoredWorkspaceSettings extends Identifiable {
  retention?: { outcome_days?: number; keep_consent_proof?: boolean };
  track?: { max_profile_bytes?: number };
  limits?: { [pool: string]: { requests: number; seconds: number } };
}

const reading =
  <Settings>(read: (stored: StoredWorkspaceSettings | undefined) => Settings) =>
  (workspaces: Pick<Records, 'get'>): SettingsOf<Settings> =>
    createSettingsOf<StoredWorkspaceSettings, Settings>(workspaces, read);

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
