/** Sends a webhook: signed, to public hosts only, without following redirects, within its time. */

import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import type { Answer, Outgoing } from '../outgoing.ts';
import { signatureHeaders } from './signature.ts';

const methods = ['POST', 'PUT', 'DELETE', 'GET'] as const;

export interface WebhookOptions extends Omit<HttpOptions, 'readsText' | 'leave'> {
  secret?: string;
  now?(): number;
}

/** Headers that belong to the connection, or that tell who is asked. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
]);

const headersIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {})
      .map(([name, text]) => [name.toLowerCase(), String(text)] as const)
      .filter(([name]) => !ownHeaders.has(name)),
  );

type Signing = Pick<WebhookOptions, 'secret' | 'now'>;

export const webhookRequestOf = ({ id, content }: Outgoing, { secret, now = Date.now }: Signing) => {
  const body = typeof content.body === 'string' ? content.body : '';
  return {
    url: String(content.url),
    method: methods.find((one) => one === content.request_method) ?? 'POST',
    headers: {
      'user-agent': 'Roster',
      ...headersIn(content.request_headers),
      ...(secret !== undefined && signatureHeaders(secret, { id, time: now(), body })),
    },
    body,
  };
};

/** Its id is the same for each try, so that the receiver knows a repetition. */
export const sendWebhook = async (
  message: Outgoing,
  { secret, now = Date.now, ...options }: WebhookOptions,
): Promise<Answer> => {
  const request = webhookRequestOf(message, { now, ...(secret !== undefined && { secret }) });
  const response = await sendRequest(request, { ...options, leave: message.leave });
  return 'state' in response ? response : answerTo(response, now());
};
