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
  webhook?: { secret: Reference };
}

/** As in the settings of a workspace. */
export interface SendingSettings {
  apps: readonly { id: string; channels?: AppChannels }[];
  messaging: { webhook_private_hosts: boolean };
}

type Readers = {
  readonly [Name in keyof Credentials]: (
    app: AppChannels,
    read: ReadCredential,
    settings: SendingSettings,
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
  web_push: async ({ web_push: web }, read, { messaging }) =>
    web && {
      privateKey: await read(web.private_key),
      publicKey: web.public_key,
      contact: web.contact,
      allowPrivate: messaging.webhook_private_hosts,
    },
  email: async ({ email }, read) => email && { smtp: await read(email.smtp) },
  sms: async ({ sms }, read) => sms && { provider: await read(sms.provider) },
  whats_app: async ({ whats_app }, read) => whats_app && { provider: await read(whats_app.provider) },
  // A webhook belongs to no app: the secret of the first app that has one counts.
  webhook: async (_app, read, { apps, messaging }) => {
    const [secret] = apps.flatMap(({ channels }) => channels?.webhook?.secret ?? []);
    return { ...(secret && { secret: await read(secret) }), allowPrivate: messaging.webhook_private_hosts };
  },
};

/** `undefined`: the app has none for this channel. Throws when they can't be read. */
export const appCredentials = <Name extends keyof Credentials>(
  channel: Name,
  settings: SendingSettings,
  app: unknown,
  read: ReadCredential,
): Promise<Credentials[Name] | undefined> => {
  const { channels = {} } = settings.apps.find(({ id }) => id === app) ?? {};
  return readers[channel](channels, read, settings);
};
