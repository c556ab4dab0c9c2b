/** Sends a webhook: signed, to public hosts only, without following redirects, within its time. */
import type { Answer } from '../answer.ts';
import { type HttpOptions, sendRequest } from '../http/request.ts';
import { answerTo } from '../http/status.ts';
import type { Outgoing } from '../outgoing.ts';
import { signatureHeaders } from './signature.ts';

const methods = ['POST', 'PUT', 'DELETE', 'GET'] as const;

export interface Webhook {
  /** The same for each try, so that the receiver knows a repetition. */
  id: string;
  url: string;
  method: (typeof methods)[number];
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface WebhookOptions extends Omit<HttpOptions, 'readsText'> {
  secret?: string;
  now?(): number;
}

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]));

/** A webhook of the interface as it is sent. */
export const webhookIn = ({ id, content }: Outgoing): Webhook => ({
  id,
  url: String(content.url),
  method: methods.find((one) => one === content.request_method) ?? 'POST',
  headers: textsIn(content.request_headers),
  ...(typeof content.body === 'string' && { body: content.body }),
});

/** Headers that belong to the connection, or that tell who is asked. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
]);

const headersOf = ({ id, headers = {}, body = '' }: Webhook, { secret, now = Date.now }: WebhookOptions) => ({
  'user-agent': 'Roster',
  ...Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ownHeaders.has(name)),
  ),
  ...(secret !== undefined && signatureHeaders(secret, { id, time: now(), body })),
});

export const sendWebhook = async (webhook: Webhook, options: WebhookOptions): Promise<Answer> => {
  const { url, method, body = '' } = webhook;
  const response = await sendRequest({ url, method, headers: headersOf(webhook, options), body }, options);
  const now = (options.now ?? Date.now)();
  return 'state' in response ? response : answerTo(response, 'the receiver', now);
};
