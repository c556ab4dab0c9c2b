/** Whether a call comes from the provider, which signs what it tells: see signature.ts. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { parsedJson, textAt } from '../json.ts';
import type { ProviderCall } from './calls.ts';
import { providerIn } from './provider.ts';
import type { Signature } from './signature.ts';

export interface SignedCall extends ProviderCall {
  /** As the provider was given it, with the query that it called; `undefined`: an address of an earlier version, which does not say it. */
  url: string | undefined;
  /** Empty when it is not there. */
  header(name: string): string;
  /** When it came, in milliseconds. */
  now: number;
}

/** One way to sign. `undefined`: the address does not say where it is, and the signature is over it. */
type Check<By extends Signature['by']> = (
  signature: Extract<Signature, { by: By }>,
  call: SignedCall,
) => boolean | undefined;

const isSame = (given: string, right: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const isForm = ({ contentType }: ProviderCall): boolean =>
  contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');

/** Each name with each of its values, sorted, and nothing between them. */
const fieldsIn = (call: ProviderCall): string => {
  if (!isForm(call)) return '';
  const fields = new Set([...new URLSearchParams(call.body)].map(([name, value]) => `${name}\0${value}`));
  return [...fields]
    .toSorted()
    .map((field) => field.replace('\0', ''))
    .join('');
};

/** Twilio signs an address with its port or without it. */
const addressesOf = (text: string): string[] => {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/s.exec(text) ?? [];
  const bare = host.replace(/:\d+$/, '');
  return [text, `${scheme}${bare}${rest}`, `${scheme}${bare}:${scheme === 'https://' ? 443 : 80}${rest}`];
};

/** A body that is no form has its digest in the query of the address. */
const isOfAddress = (call: SignedCall, url: string): boolean => {
  if (isForm(call)) return true;
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  return isSame(query.get('bodySHA256') ?? '', sha256(call.body).toString('hex'));
};

const byTwilio: Check<'twilio'> = ({ secret }, call) => {
  const { url: address } = call;
  if (address === undefined) return undefined;
  const [given, fields] = [call.header('x-twilio-signature'), fieldsIn(call)];
  const signatureOf = (url: string): string =>
    createHmac('sha1', secret).update(`${url}${fields}`).digest('base64');
  return isOfAddress(call, address) && addressesOf(address).some((url) => isSame(given, signatureOf(url)));
};

/** As long as an answer is known by its id: what is older was said before, and may have been overheard. */
const oldestMs = 24 * 3_600_000;

const momentIn = (text: string): number => {
  if (!/^\d+$/.test(text)) return Date.parse(text);
  return text.length > 11 ? Number(text) : Number(text) * 1000;
};

/** What is no moment is signed too, and says nothing about one. */
const isOld = (text: string, now: number): boolean => now - momentIn(text) > oldestMs;

const timesOver = /\{header:([\w-]*timestamp[\w-]*)\}/gi;

/** By the moments that are signed beside a body. */
const isOldBy = (over: string, call: SignedCall): boolean =>
  [...over.matchAll(timesOver)].some(([, header = '']) => isOld(call.header(header.toLowerCase()), call.now));

/** What is signed, from its template. The digest of a body is bytes, and no text. */
const signedBytes = (over: string, call: SignedCall): Buffer | undefined => {
  if (over.includes('{url}') && call.url === undefined) return undefined;
  const bytesOf = (part: string): Buffer => {
    if (part === '{body}') return Buffer.from(call.body);
    if (part === '{sha256}') return sha256(call.body);
    if (part === '{url}') return Buffer.from(call.url ?? '');
    const [, header] = /^\{header:(.+)\}$/.exec(part) ?? [];
    return Buffer.from(header === undefined ? part : call.header(header.toLowerCase()));
  };
  return Buffer.concat(over.split(/(\{(?:body|sha256|url|header:[\w-]+)\})/).map(bytesOf));
};

const byBody: Check<'body'> = (signature, call) => {
  const { secret, header, prefix = '', encoding = 'hex', over = '{body}' } = signature;
  const bytes = signedBytes(over, call);
  if (!bytes) return undefined;
  if (isOldBy(over, call)) return false;
  const right = createHmac('sha256', secret).update(bytes).digest(encoding);
  return isSame(call.header(header.toLowerCase()), `${prefix}${right}`);
};

/** What stands before the 32 bytes of a key of Ed25519 in the form that Node reads (RFC 8410). */
const beforeKey = Buffer.from('302a300506032b6570032100', 'hex');

const byEd25519: Check<'ed25519'> = ({ key, header, over = '{body}' }, call) => {
  const bytes = signedBytes(over, call);
  if (!bytes) return undefined;
  if (isOldBy(over, call)) return false;
  const der = Buffer.concat([beforeKey, Buffer.from(key, 'base64')]);
  const given = Buffer.from(call.header(header.toLowerCase()), 'base64');
  return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), given);
};

const ofPart = (part: string): unknown => parsedJson(Buffer.from(part, 'base64url').toString());

const digests: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** The token says what the body is; a token without that says nothing about this call. */
const byJwt: Check<'jwt'> = ({ secret, header, prefix = '' }, call) => {
  const given = call.header(header.toLowerCase());
  if (!given.startsWith(prefix)) return false;
  const [head = '', claims = '', signature = '', ...more] = given.slice(prefix.length).split('.');
  const algorithm = textAt('alg', ofPart(head)) ?? '';
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  if (digest === undefined || more.length > 0) return false;
  const right = createHmac(digest, secret).update(`${head}.${claims}`).digest('base64url');
  const said = ofPart(claims);
  const hash = textAt('payload_hash', said) ?? '';
  if (isOld(textAt('iat', said) ?? '', call.now)) return false;
  return isSame(signature, right) && isSame(hash.toLowerCase(), sha256(call.body).toString('hex'));
};

const checks: { readonly [By in Signature['by']]: Check<By> } = {
  twilio: byTwilio,
  body: byBody,
  ed25519: byEd25519,
  jwt: byJwt,
};

/** `unsigned`: nobody can tell, as the credential does not say how calls are signed, or the address not where it is; `accepted`: the credential says that they are not. */
export type CallCheck = 'signed' | 'wrong' | 'unsigned' | 'accepted';

export const howSigned = (provider: string): 'signed' | 'unsigned' | 'accepted' => {
  const { signature, unsigned_calls } = providerIn(provider);
  if (unsigned_calls !== undefined) return 'accepted';
  return signature ? 'signed' : 'unsigned';
};

/** Whether it says where an answer has its number and its text. */
export const readsAnswers = (provider: string): boolean => providerIn(provider).answer !== undefined;

export const checkCall = (provider: string, call: SignedCall): CallCheck => {
  const { signature, unsigned_calls } = providerIn(provider);
  if (!signature || unsigned_calls !== undefined) return howSigned(provider);
  const isRight = (checks[signature.by] as Check<Signature['by']>)(signature, call);
  if (isRight === undefined) return 'unsigned';
  return isRight ? 'signed' : 'wrong';
};
