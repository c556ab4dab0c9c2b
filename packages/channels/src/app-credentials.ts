/** The credentials of an app, read where the settings of its workspace say they stand. */
import type { AppChannels, Credentials, ReadCredential, ReadSettings } from './credentials.ts';

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

const readIn = async <Settings extends object>(settings: Settings | undefined, read: ReadCredential) => {
  if (!settings) return undefined;
  const members = Object.entries(settings).map(async ([name, value]) => [
    name,
    typeof value === 'object' ? await read(value) : value,
  ]);
  return Object.fromEntries(await Promise.all(members)) as ReadSettings<Settings>;
};

const readers: Readers = {
  ios_push: ({ ios_push }, read) => readIn(ios_push, read),
  live_activity: ({ ios_push }, read) => readIn(ios_push, read),
  droid_push: ({ droid_push }, read) => readIn(droid_push, read),
  web_push: async ({ web_push }, read, { messaging }) => {
    const keys = await readIn(web_push, read);
    return keys && { ...keys, allowPrivate: messaging.webhook_private_hosts };
  },
  email: ({ email }, read) => readIn(email, read),
  sms: ({ sms }, read) => readIn(sms, read),
  whats_app: ({ whats_app }, read) => readIn(whats_app, read),
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
