/** Sends a text message or a WhatsApp message by the provider of its app. */
import type { Answer } from '../answer.ts';
import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import type { Outgoing } from '../outgoing.ts';
import { signatureHeaders } from '../webhook/signature.ts';
import { idIn, type Provider, providerIn, requestOf } from './provider.ts';

interface PhoneOptions extends Omit<HttpOptions, 'readsText' | 'allowPrivate'> {
  /** JSON: see `Provider`. */
  provider: string;
  now?(): number;
}

const longestShown = 200;

/** Providers say in their answer what was wrong, and some repeat what they were told. */
const saidIn = (text: string, { user = '', password = '', secret = '', headers = {} }: Provider): string =>
  [user, password, secret, ...Object.values(headers)]
    .filter((hidden) => hidden !== '')
    .reduce((shown, hidden) => shown.replaceAll(hidden, '***'), text.replace(/\s+/g, ' '))
    .slice(0, longestShown);

const withWords = (answer: Answer, text: string, provider: Provider): string => {
  const reason = answer.state === 'sent' ? '' : answer.reason;
  return text === '' ? reason : `${reason}: ${saidIn(text, provider)}`;
};

export const sendPhone = async (
  message: Outgoing,
  { provider: text, now = Date.now, ...options }: PhoneOptions,
): Promise<Answer> => {
  const provider = providerIn(text);
  const request = requestOf(provider, message);
  const signed =
    provider.secret === undefined
      ? {}
      : signatureHeaders(provider.secret, { id: message.id, time: now(), body: request.body });
  const headers = { 'user-agent': 'Roster', ...request.headers, ...signed };
  // It is the operator who says where the provider is.
  const response = await sendRequest(
    { ...request, headers },
    { ...options, allowPrivate: true, readsText: true },
  );
  if ('state' in response) return response;
  const answer = answerTo(response, 'the provider', now());
  const reason = withWords(answer, response.text, provider);
  // Its credentials may be corrected; the message is not at fault.
  if (response.status === 401 || response.status === 403) return { state: 'later', reason };
  if (answer.state === 'sent') {
    const id = idIn(provider, response.text);
    return { ...answer, ...(id !== undefined && { id }) };
  }
  return { ...answer, reason };
};
