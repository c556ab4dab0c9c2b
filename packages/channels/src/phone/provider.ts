/** How a provider of text messages is asked: one HTTP request, written down as JSON with places for the message. */
import { type Json, remember, stringifyExact } from '@roster/contract';
import { isInClear } from '@roster/names';
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parsedJson, textAt } from '../json.ts';
import type { Outgoing } from '../outgoing.ts';
import { presetIn } from './presets.ts';
import { signature } from './signature.ts';

const text = Type.String();
const texts = Type.Array(text);
const byName = Type.Record(text, text);
const nothingElse = { additionalProperties: false };

export const providerMembers = {
  url: Type.String({ pattern: '^https?://' }),
  /** What is sent may be read on the way: `http://` to another machine needs it. */
  tls: Type.Optional(Type.Literal('off')),
  method: Type.Optional(Type.Union([Type.Literal('POST'), Type.Literal('PUT')])),
  headers: Type.Optional(byName),
  /** For `Authorization: Basic`. */
  user: Type.Optional(text),
  password: Type.Optional(text),
  /** The body, as a form or as JSON: one of them. */
  form: Type.Optional(byName),
  json: Type.Optional(Type.Unsafe<Json>(Type.Union([Type.Object({}), Type.Array(Type.Unknown())]))),
  /** Where the answer has the provider's id of the message, as `messages.0.id`. */
  id: Type.Optional(text),
  /** Signs the request as webhooks are signed. */
  secret: Type.Optional(text),
  /**
   * Where a report has the state of the message and why; and which states are good and bad. `each`: where a call has its reports, if it may
   * have several. `message`: where a report has the `{id}` of the message, if it does not come to the address `{report}`.
   */
  report: Type.Optional(
    Type.Object(
      {
        each: Type.Optional(text),
        message: Type.Optional(text),
        state: text,
        delivered: texts,
        failed: texts,
        reason: Type.Optional(text),
        code: Type.Optional(text),
        to: Type.Optional(text),
      },
      nothingElse,
    ),
  ),
  /**
   * The codes by which the provider says that the person wants no more messages, and where its answer has the code, if it does. A report has it in
   * the place `code`, or else `reason`, and the number of the person in the place `to`.
   */
  opted_out: Type.Optional(Type.Object({ code: Type.Optional(text), codes: texts }, nothingElse)),
  signature: Type.Optional(signature),
  /** It does not sign its calls: whoever knows an address is believed. */
  unsigned_calls: Type.Optional(Type.Literal('accept')),
  /** Where the answer of a person has their number, their text and its id; and what people get who ask for help. */
  answer: Type.Optional(
    Type.Object(
      { each: Type.Optional(text), from: text, text, id: Type.Optional(text), help: Type.Optional(text) },
      nothingElse,
    ),
  ),
};

export type Provider = Static<TObject<typeof providerMembers>>;

const isMember = (name: string): name is keyof Provider => Object.hasOwn(providerMembers, name);

const signatures =
  '{ by: "twilio", secret }, { by: "body", secret, header, prefix?, encoding?, over? }, { by: "ed25519", key, header, over? } with a key of 32 bytes in base64, or { by: "jwt", secret, header, prefix? }; over has {body}, {sha256} or {url}';

const hints: Partial<Record<keyof typeof providerMembers, string>> = {
  signature: `: it is ${signatures}`,
  tls: ': it may be "off"',
  unsigned_calls: ': it may be "accept"',
};

/** A name that looks like one: what was pasted in its place may be a secret. */
const shownName = (name: string): string => (/^[a-z_]{1,24}$/.test(name) ? ` (${name})` : '');

/** Throws an error that says what is wrong with it, and never what is in it. */
export const providerIn = remember((text): Provider => {
  const written = parsedJson(text);
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new Error('the provider is not a JSON object');
  const given = presetIn(written) ?? written;
  for (const [name, value] of Object.entries(given)) {
    if (!isMember(name))
      throw new Error(`the provider has a member that is none${shownName(name)}: see docs/messaging.md`);
    if (!Value.Check(providerMembers[name], value))
      throw new Error(`the member ${name} of the provider is not as it should be${hints[name] ?? ''}`);
  }
  const provider = given as Partial<Provider>;
  if (provider.url === undefined) throw new Error('the provider has no url');
  if ((provider.form === undefined) === (provider.json === undefined))
    throw new Error('the provider must have either form or json');
  const { url, tls } = provider;
  if (tls !== 'off' && isInClear(url))
    throw new Error(
      'the url of the provider must begin with https://: with http:// its password can be read on the way. If that may be, write "tls": "off" there',
    );
  return { ...provider, url };
}, 1_000);

/** What the places in a request stand for. */
const valuesOf = ({ id, to, content, report }: Outgoing): Record<string, Json> => ({
  id,
  to,
  // A list of none is no field of a form.
  report: report ?? [],
  body: (content.body as string | undefined) ?? '',
  media_items: (content.media_items as string[] | undefined) ?? [],
  message: (content.message as Json | undefined) ?? {},
  message_type: (content.message_type as string | undefined) ?? '',
});

const place = /\{(id|to|report|body|media_items|message|message_type)\}/g;
const whole = /^\{(id|to|report|body|media_items|message|message_type)\}$/;

type Values = Record<string, Json>;

const asText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : stringifyExact(value ?? '');

const filledText = (text: string, values: Values): string =>
  text.replace(place, (_, name: string) => asText(values[name]));

/** A text that is nothing but a place becomes its value, whatever kind it has. */
const filled = (template: Json, values: Values): Json => {
  if (typeof template === 'string') {
    const [, name] = whole.exec(template) ?? [];
    return name === undefined ? filledText(template, values) : (values[name] ?? null);
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, one]) => [filledText(name, values), filled(one, values)]),
  );
};

/** A list becomes one field for each of its elements. */
const formOf = (form: Record<string, string>, values: Values): string => {
  const fields = new URLSearchParams();
  for (const [name, template] of Object.entries(form)) {
    const value = filled(template, values);
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, asText(one));
  }
  return fields.toString();
};

const authorization = ({ user, password }: Provider): Record<string, string> =>
  user === undefined && password === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}` };

/** Places in the URL are encoded. */
const urlOf = ({ url }: Provider, values: Values): string =>
  url.replace(place, (_, name: string) => encodeURIComponent(asText(values[name])));

export const requestOf = (provider: Provider, message: Outgoing) => {
  const values = valuesOf(message);
  const { form, json, headers = {} } = provider;
  return {
    url: urlOf(provider, values),
    method: provider.method ?? 'POST',
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      ...authorization(provider),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filledText(value, values)]),
      ),
    },
    body: form ? formOf(form, values) : stringifyExact(filled(json ?? {}, values)),
  };
};

export const isOptedOut = ({ opted_out }: Provider, text: string): boolean =>
  opted_out?.codes.includes(textAt(opted_out.code, parsedJson(text)) ?? '') ?? false;

export const idIn = ({ id: path }: Provider, text: string): string | undefined =>
  textAt(path, parsedJson(text));
