/** Sends a text message or a WhatsApp message by the provider of its app. */

import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import type { Answer, Outgoing } from '../outgoing.ts';
import { signatureHeaders } from '../webhook/signature.ts';
import { idIn, isOptedOut, type Provider, providerIn, requestOf } from './provider.ts';

interface PhoneOptions extends Omit<HttpOptions, 'readsText' | 'allowPrivate' | 'leave'> {
  /** JSON: see `Provider`. */
  provider: string;
  now?(): number;
}

/** As it is sent: with its signature, where the provider has a secret. */
export const phoneRequestOf = (provider: Provider, message: Outgoing, now: number) => {
  const request = requestOf(provider, message);
  const { body } = request;
  const signed =
    provider.secret === undefined
      ? {}
      : signatureHeaders(provider.secret, { id: message.id, time: now, body });
  return { ...request, headers: { 'user-agent': 'Roster', ...request.headers, ...signed } };
};

export const sendPhone = async (
  message: Outgoing,
  { provider: text, now = Date.now, ...options }: PhoneOptions,
): Promise<Answer> => {
  const provider = providerIn(text);
  // It is the operator who says where the provider is.
  const response = await sendRequest(phoneRequestOf(provider, message, now()), {
    ...options,
    leave: message.leave,
    allowPrivate: true,
    readsText: true,
  });
  if ('state' in response) return response;
  const { text: words } = response;
  const hasLeft = isOptedOut(provider, words);
  return answerTo(response, now(), {
    ...{ id: idIn(provider, words), words },
    hasKeys: !hasLeft,
    isOptedOut: hasLeft,
  });
};
