/** The credentials of an app, read where the settings of its workspace say they stand. */
import type { Credentials } from './channels.ts';
import type { ReadCredential, Reference } from './credentials.ts';

interface Provider {
  provider: Reference;
}

/** As in the settings of an app. */
export interface AppChannels {
  ios_push?: { key: Reference; key_id: string; team_id: string; topic: string; url?: string };
  droid_push?: { account: Reference; url?: string };
  web_push?: { private_key: Reference; public_key: string; contact: string };
  email?: { smtp: Reference };
  sms?: Provider;
  whats_app?: Provider;
}

type AppChannel = keyof AppChannels;

type Readers = {
  readonly [Name in AppChannel]: (
    settings: NonNullable<AppChannels[Name]>,
    read: ReadCredential,
  ) => Promise<Credentials[Name]>;
};

const provider = async (settings: Provider, read: ReadCredential) => ({
  provider: await read(settings.provider),
});

const readers: Readers = {
  ios_push: async ({ key, key_id: keyId, team_id: teamId, topic, url }, read) => ({
    key: await read(key),
    keyId,
    teamId,
    topic,
    ...(url !== undefined && { url }),
  }),
  droid_push: async ({ account, url }, read) => ({
    account: await read(account),
    ...(url !== undefined && { url }),
  }),
  web_push: async ({ private_key, public_key: publicKey, contact }, read) => ({
    privateKey: await read(private_key),
    publicKey,
    contact,
  }),
  email: async ({ smtp }, read) => ({ smtp: await read(smtp) }),
  sms: provider,
  whats_app: provider,
};

/** `undefined`: the app has none for this channel. Throws when they cannot be read. */
export const appCredentials = async <Name extends AppChannel>(
  channel: Name,
  channels: AppChannels | undefined,
  read: ReadCredential,
): Promise<Credentials[Name] | undefined> => {
  const settings = channels?.[channel];
  return settings && readers[channel](settings, read);
};
