/** Credentials of apps, read where the settings of a workspace say they stand: in a variable, or in a file. */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createKept } from './kept.ts';

type Reference = { env: string } | { file: string };

/** As in the settings of an app. */
interface AppChannels {
  /** `key`: the text of the .p8 file; `topic`: the bundle id of the app; `url`: another server than that for apps from the store. */
  ios_push?: { key: Reference; key_id: string; team_id: string; topic: string; url?: string };
  /** `account`: the JSON of the service account; `url`: another server than that of Google. */
  droid_push?: { account: Reference; url?: string };
  /** `contact`: `mailto:` or `https://`, whom a push service may ask. */
  web_push?: { private_key: Reference; public_key: string; contact: string };
  /** `tls`: emails may go in clear. */
  email?: { smtp: Reference; tls?: 'off' };
  /** `addresses_since`: the addresses for answers that were made before have ended. */
  sms?: { provider: Reference; addresses_since?: string };
  whats_app?: { provider: Reference; addresses_since?: string };
  webhook?: { secret: Reference };
}

/** With the plain text that stands at each reference. */
type ReadSettings<Settings> = {
  [Member in keyof Settings]: Settings[Member] extends Reference ? string : Settings[Member];
};

type Of<Channel extends keyof AppChannels> = ReadSettings<NonNullable<AppChannels[Channel]>>;

export interface Credentials {
  ios_push: Of<'ios_push'>;
  live_activity: Of<'ios_push'>;
  droid_push: Of<'droid_push'>;
  web_push: Of<'web_push'> & { allowPrivate?: boolean };
  email: Of<'email'>;
  sms: Of<'sms'>;
  whats_app: Of<'whats_app'>;
  webhook: Partial<Of<'webhook'>> & { allowPrivate?: boolean };
}

interface CredentialsOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Where the files are; without it there are none. */
  dir?: string;
  /** The command that writes a file there. */
  command?: 'roster channel credential' | 'roster integration credential';
}

const mostBytes = 64 * 1024;

/** A changed file counts after so long. */
const keptMs = 5_000;

/** Links within the folder are followed, as mounted secrets have them; they lead out of it nowhere. */
const opened = async (dir: string, file: string): Promise<FileHandle> => {
  const [folder, place] = await Promise.all([realpath(dir), realpath(join(dir, file))]);
  if (!place.startsWith(join(folder, sep)))
    throw new Error(`the file ${file} in CREDENTIALS_DIR is a link to a place outside of it`);
  // A named pipe would be waited for.
  return open(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
};

const mayNot = 'Let the user that runs Roster read it.';

/** What to do about a file that cannot be opened. */
const remedies: Readonly<Record<string, string>> = { EACCES: mayNot, EPERM: mayNot };

const unreadable = (file: string, remedy: string) => (error: NodeJS.ErrnoException) => {
  const { code } = error;
  if (code === undefined) throw error;
  if (code === 'ENOENT') throw new Error(`there is no file ${file} in CREDENTIALS_DIR (${code}). ${remedy}`);
  const more = remedies[code] ?? remedy;
  throw new Error(`the file ${file} in CREDENTIALS_DIR cannot be read (${code}). ${more}`);
};

const fromFile = async (dir: string | undefined, file: string, remedy: string): Promise<string> => {
  if (!dir)
    throw new Error(
      `the credential is in the file ${file}, but CREDENTIALS_DIR is not set: set it to the folder of that file`,
    );
  const handle = await opened(dir, file).catch(unreadable(file, remedy));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error(`${file} in CREDENTIALS_DIR is not a file`);
    if (found.size > mostBytes) throw new Error(`the file ${file} in CREDENTIALS_DIR is larger than 64 KB`);
    const text = (await handle.readFile('utf8')).trim();
    if (!text) throw new Error(`the file ${file} in CREDENTIALS_DIR is empty. ${remedy}`);
    return text;
  } finally {
    await handle.close();
  }
};

export type ReadCredential = (reference: Reference) => Promise<string>;

/** Throws an error that says what is missing, and never what is there. */
export const createReadCredential = ({
  env,
  dir,
  command = 'roster channel credential',
}: CredentialsOptions): ReadCredential => {
  const kept = createKept<string>();
  const fromVariable = (name: string): string => {
    const text = env[name]?.trim();
    if (!text) throw new Error(`the variable ${name} is not set or empty: set it to the credential`);
    return text;
  };
  const readAnew = async (reference: Reference): Promise<string> => {
    if ('env' in reference) return fromVariable(reference.env);
    const { file } = reference;
    return fromFile(dir, file, `"${command} ${file}" writes it from standard input.`);
  };
  return async (reference) => {
    const key = JSON.stringify(reference);
    const known = kept.at(key, performance.now());
    if (known !== undefined) return known;
    const text = await readAnew(reference);
    kept.keep(key, text, performance.now() + keptMs);
    return text;
  };
};

/** As in the settings of a workspace. */
interface SendingSettings {
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
