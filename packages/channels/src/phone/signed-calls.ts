/**
 * Whether a call comes from the provider, which signs what it tells. Twilio: the address and the fields
 * (https://www.twilio.com/docs/usage/security#validating-requests). Others: the body, as Meta does
 * (https://developers.facebook.com/docs/graph-api/webhooks/getting-started#event-notifications).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ProviderCall } from './calls.ts';
import { type Provider, providerIn } from './provider.ts';

export interface SignedCall extends ProviderCall {
  /** As the provider was given it, with the query that it called; `undefined`: an address of an earlier version, which does not say it. */
  url: string | undefined;
  /** Empty when it is not there. */
  header(name: string): string;
}

type Signature = NonNullable<Provider['signature']>;
type OfBody = Extract<Signature, { by: 'body' }>;

const isSame = (given: string, right: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

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
  return isSame(query.get('bodySHA256') ?? '', createHash('sha256').update(call.body).digest('hex'));
};

const isSignedByTwilio = (secret: string, call: SignedCall, address: string): boolean => {
  const [given, fields] = [call.header('x-twilio-signature'), fieldsIn(call)];
  const signatureOf = (url: string): string =>
    createHmac('sha1', secret).update(`${url}${fields}`).digest('base64');
  return isOfAddress(call, address) && addressesOf(address).some((url) => isSame(given, signatureOf(url)));
};

const isBodySigned = (
  { secret, header, prefix = '', encoding = 'hex' }: OfBody,
  call: SignedCall,
): boolean => {
  const digest = createHmac('sha256', secret).update(call.body).digest(encoding);
  return isSame(call.header(header.toLowerCase()), `${prefix}${digest}`);
};

/** `unsigned`: nobody can tell, as the credential does not say how calls are signed, or the address not where it is; `accepted`: the credential says that they are not. */
export type CallCheck = 'signed' | 'wrong' | 'unsigned' | 'accepted';

export const howSigned = (provider: string): 'signed' | 'unsigned' | 'accepted' => {
  const { signature, unsigned_calls } = providerIn(provider);
  if (signature) return 'signed';
  return unsigned_calls === undefined ? 'unsigned' : 'accepted';
};

export const checkCall = (provider: string, call: SignedCall): CallCheck => {
  const { signature } = providerIn(provider);
  if (!signature) return howSigned(provider);
  if (signature.by === 'body') return isBodySigned(signature, call) ? 'signed' : 'wrong';
  if (call.url === undefined) return 'unsigned';
  return isSignedByTwilio(signature.secret, call, call.url) ? 'signed' : 'wrong';
};
