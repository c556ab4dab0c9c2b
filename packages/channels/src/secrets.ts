/** Every text of a credential that is not shown, whoever repeats it. */
import { remember } from '@roster/contract';
import type { Credentials } from './credentials.ts';
import { parsedJson } from './json.ts';
import { providerIn } from './phone/provider.ts';

const leavesOf = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === undefined || value === null ? [] : [String(value)];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // It is no text of a URL: it stands as it is.
    return text;
  }
};

/** As `Authorization: Basic` and the AUTH of SMTP have them. */
const paired = (user: string, password: string): string[] => [
  ...[user, password, `${user}:${password}`],
  ...[`\0${user}\0${password}`, `${user}\0${user}\0${password}`],
];

const inUrl = ({ username, password, pathname, search, searchParams }: URL): string[] => [
  ...paired(decoded(username), decoded(password)),
  ...[username, password, pathname, decoded(pathname), search],
  ...searchParams.values(),
];

const inBasic = (text: string): string[] => {
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(text, 'base64').toString()) ?? [];
  return paired(user, password);
};

/** Of one text: a URL has a host that is no secret, and a header has a scheme before its key. */
const textsIn = (text: string): string[] => {
  if (/^(https?|smtps?):/i.test(text) && URL.canParse(text)) return inUrl(new URL(text));
  const [, scheme = '', key] = /^([a-z]+) +(.+)$/is.exec(text) ?? [];
  if (key === undefined) return [text];
  return [text, key, ...(/^basic$/i.test(scheme) ? inBasic(key) : [])];
};

/** `{to}` stands for what is no secret. */
const withoutPlaces = (text: string): string[] => text.split(/\{[a-z_]+\}/);

const secretsIn = (value: unknown): string[] => {
  const texts = leavesOf(value).flatMap((leaf) => [leaf, ...withoutPlaces(leaf)]);
  return [...new Set(texts.flatMap(textsIn))].filter((text) => text !== '');
};

/** So many lists are known at a time. */
const most = 32;

/** The one secret in it is the text itself. */
export const alone = remember((text): readonly string[] => [text], most);

/** Also of one that is none, as far as its text tells. */
export const providerSecrets = remember((text): readonly string[] => {
  try {
    const provider = providerIn(text);
    const { url, headers, user = '', password = '', secret, form, json, signature } = provider;
    const all = {
      url,
      headers,
      secret,
      form,
      json,
      signs: signature && 'secret' in signature ? signature.secret : undefined,
    };
    return [...secretsIn(all), ...paired(user, password)];
  } catch {
    // It is the reason why nothing is sent: the sender says so itself.
    return secretsIn(parsedJson(text) ?? text);
  }
}, most);

/** The project of an account is no secret: it stands in the id of each push. */
const accountSecrets = remember((text): readonly string[] => {
  const given = parsedJson(text);
  if (typeof given !== 'object' || given === null) return [text];
  const { private_key, private_key_id, client_email, client_id } = given as Record<string, unknown>;
  return secretsIn({ private_key, private_key_id, client_email, client_id });
}, most);

const serverSecrets = remember((text): readonly string[] => secretsIn(text), most);

type Readers = {
  readonly [Name in keyof Credentials]: (credentials: Credentials[Name]) => readonly string[];
};

const readers: Readers = {
  ios_push: ({ key }) => alone(key),
  live_activity: ({ key }) => alone(key),
  droid_push: ({ account }) => accountSecrets(account),
  web_push: ({ private_key }) => alone(private_key),
  email: ({ smtp }) => serverSecrets(smtp),
  sms: ({ provider }) => providerSecrets(provider),
  whats_app: ({ provider }) => providerSecrets(provider),
  // Of what a receiver answers nothing is read but its status.
  webhook: ({ secret = '' }) => alone(secret),
};

export const secretsOf = <Name extends keyof Credentials>(
  channel: Name,
  credentials: Credentials[Name],
): readonly string[] => readers[channel](credentials);
