/** The credentials of an app, read where the settings of its workspace say they stand. */
import type { Credentials } from './channels.ts';
import type { ReadCredential, Reference } from './credentials.ts';

/** As in the settings of an app. */
interface AppChannels {
  ios_push?: { key: Reference; key_id: string; team_id: string; topic: string; url?: string };
  droid_push?: { account: Reference; url?: string };
  web_push?: { private_key: Reference; public_key: string; contact: string };
  email?: { smtp: Reference };
  sms?: { provider: Reference };
  whats_app?: { provider: Reference };
}

/** That of webhooks is one for the workspace. */
type AppChannel = Exclude<keyof Credentials, 'webhook'>;

type Readers = {
  readonly [Name in AppChannel]: (
    channels: AppChannels,
    read: ReadCredential,
  ) => Promise<Credentials[Name] | undefined>;
};

const appleIn: Readers['ios_push'] = async ({ ios_push: apple }, read) =>
  apple && {
    key: await read(apple.key),
    keyId: apple.key_id,
    teamId: apple.team_id,
    topic: apple.topic,
    ...(apple.url !== undefined && { url: apple.url }),
  };

const readers: Readers = {
  ios_push: appleIn,
  live_activity: appleIn,
  droid_push: async ({ droid_push: droid }, read) =>
    droid && { account: await read(droid.account), ...(droid.url !== undefined && { url: droid.url }) },
  web_push: async ({ web_push: web }, read) =>
    web && {
      privateKey: await read(web.private_key),
      publicKey: web.public_key,
      contact: web.contact,
    },
  email: async ({ email }, read) => email && { smtp: await read(email.smtp) },
  sms: async ({ sms }, read) => sms && { provider: await read(sms.provider) },
  whats_app: async ({ whats_app }, read) => whats_app && { provider: await read(whats_app.provider) },
};

/** `undefined`: the app has none for this channel. Throws when they can't be read. */
export const appCredentials = <Name extends AppChannel>(
  channel: Name,
  channels: AppChannels | undefined,
  read: ReadCredential,
): Promise<Credentials[Name] | undefined> => readers[channel](channels ?? {}, read);
