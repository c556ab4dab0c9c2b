/** A webhook of the interface as it is sent. */
import type { Outgoing } from '../outgoing.ts';
import { methods, type Webhook } from './send-webhook.ts';

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]));

export const webhookIn = ({ id, content }: Outgoing): Webhook => ({
  id,
  url: String(content.url),
  method: methods.find((one) => one === content.request_method) ?? 'POST',
  headers: textsIn(content.request_headers),
  ...(typeof content.body === 'string' && { body: content.body }),
});
