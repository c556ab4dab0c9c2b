import type { ReadCredential, Reference } from '../credentials.ts';
import type { AppleCredentials } from './send-apple.ts';

/** As in the settings of an app. */
interface AppleSettings {
  key: Reference;
  key_id: string;
  team_id: string;
  topic: string;
  url?: string;
}

/** Throws when the key can't be read. */
export const appleCredentials = async (
  { key, key_id: keyId, team_id: teamId, topic, url }: AppleSettings,
  read: ReadCredential,
): Promise<AppleCredentials> => ({
  key: await read(key),
  keyId,
  teamId,
  topic,
  ...(url !== undefined && { url }),
});
