/** Webhooks that Roster sends, signed by the rules of Standard Webhooks (standardwebhooks.com): read when the signature is right. */
import { parsed } from './error-of.ts';
import { RosterError, type WebhookErrorCode } from './errors.ts';

export interface Webhook<Content = unknown> {
  /** The same each time it is sent again: a repetition is told by it. */
  id: string;
  /** When it was sent. */
  time: Date;
  /** As JSON says it; its text where it is no JSON. */
  body: Content;
}

export interface WebhookOptions {
  /** The secret of the channel, `whsec_...`; while it changes, the old one and the new one. */
  secret?: string | readonly string[] | undefined;
  /** Seconds that the sending may lie in the past or the future; 300 unless said. */
  tolerance?: number | undefined;
}

/** Headers of `fetch`, a Map, a request of express, or the headers of Node. */
type Received =
  | { get(name: string): unknown }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** For a test call: id and time are random and now, unless said. */
export interface SignOptions {
  /** `whsec_...`; of several the first one. */
  secret?: string | readonly string[] | undefined;
  id?: string | undefined;
  time?: Date | undefined;
}

export interface Webhooks {
  /**
   * The webhook of a request: its body as it arrived, byte for byte, and its headers. Rejected with a `WebhookError` when it does not
   * come from Roster, or comes too late.
   */
  unwrap<Content = unknown>(
    rawBody: string | Uint8Array,
    headers: Received,
    options?: WebhookOptions,
  ): Promise<Webhook<Content>>;
  /** The headers of a webhook with this body, as Roster sends them: to test what receives webhooks. */
  sign(rawBody: string | Uint8Array, options?: SignOptions): Promise<Record<string, string>>;
}

/** It is not from Roster, or too old. Answer it with 400 and do nothing. */
export class WebhookError extends RosterError {
  override name = 'WebhookError';
  declare readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message, { code });
  }
}

const prefix = 'whsec_';
const encoder = new TextEncoder();

const bytesIn = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

const getIn = (headers: Received): ((name: string) => unknown) | undefined =>
  typeof headers.get === 'function' ? headers.get.bind(headers) : undefined;

/** Plain objects and maps may have names in capitals. */
const headerIn = (headers: Received, name: string): string => {
  const all: Iterable<[string, unknown]> = headers instanceof Map ? headers : Object.entries(headers);
  const value = getIn(headers)?.(name) ?? [...all].find(([other]) => other.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new WebhookError('WEBHOOK_HEADER_MISSING', `the header ${name} is missing`);
  return String(value);
};

const joined = (start: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(start);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
};

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

const keyOf = (secret: string) => {
  const bytes = secret.startsWith(prefix) ? bytesIn(secret.slice(prefix.length)) : encoder.encode(secret);
  if (bytes.length === 0) throw new TypeError("the option 'webhookSecret' is no secret");
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
};

/** Compared by web crypto, in the same time whatever differs. */
const isSigned = async (secret: string, signatures: readonly string[], content: Uint8Array<ArrayBuffer>) => {
  const key = await keyOf(secret);
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, bytesIn(signature), content)) return true;
  return false;
};

const rawBytes = (body: unknown): Uint8Array => {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('a webhook needs its body as it arrived, not parsed');
};

const secretsIn = (secret: string | readonly string[] | undefined): string[] => {
  const secrets = [secret ?? []].flat();
  if (secrets.length === 0) throw new TypeError("webhooks need the option 'webhookSecret'");
  return secrets;
};

/** Of version 1: others are made in other ways. */
const signaturesIn = (header: string): string[] =>
  header.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));

export const createWebhooks = (usual: string | readonly string[] | undefined, now = Date.now): Webhooks => ({
  async unwrap<Content>(
    rawBody: string | Uint8Array,
    headers: Received,
    { secret = usual, tolerance = 300 }: WebhookOptions = {},
  ) {
    const secrets = secretsIn(secret);
    const bytes = rawBytes(rawBody);
    const id = headerIn(headers, 'webhook-id');
    const seconds = headerIn(headers, 'webhook-timestamp');
    const signatures = signaturesIn(headerIn(headers, 'webhook-signature'));
    const content = joined(`${id}.${seconds}.`, bytes);
    let isOurs = false;
    for (const one of secrets) isOurs ||= await isSigned(one, signatures, content);
    if (!isOurs) throw new WebhookError('WEBHOOK_SIGNATURE_WRONG', 'the signature is wrong');
    const time = Number(seconds) * 1000;
    if (!(Math.abs(now() - time) <= tolerance * 1000))
      throw new WebhookError('WEBHOOK_TIME_WRONG', 'its time is too far from now');
    return { id, time: new Date(time), body: parsed(new TextDecoder().decode(bytes)) as Content };
  },

  async sign(rawBody, { secret = usual, id = crypto.randomUUID(), time = new Date(now()) } = {}) {
    const [first = ''] = secretsIn(secret);
    const seconds = String(Math.floor(time.getTime() / 1000));
    const content = joined(`${id}.${seconds}.`, rawBytes(rawBody));
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(first), content));
    const text = btoa(String.fromCharCode(...signature));
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${text}` };
  },
});
