/** A stored message as it would leave, made by the functions that make what is sent. */
import { parseExact } from '@roster/contract';
import { appleIn, liveIn } from './apple/apple-message.ts';
import { composed } from './channels.ts';
import { droidIn } from './droid/send-droid.ts';
import { type Composer, openComposer } from './email/composer.ts';
import { masked } from './http/masked.ts';
import type { HttpRequest } from './http/request.ts';
import type { Outgoing } from './outgoing.ts';
import { type About, aboutSms, aboutWhatsApp } from './phone/about.ts';
import { providerIn } from './phone/provider.ts';
import { phoneRequestOf } from './phone/send-phone.ts';
import { webIn } from './web/send-web.ts';
import { webhookRequestOf } from './webhook/send-webhook.ts';

interface LeavingRequest {
  is: 'request';
  /** Whose request it is, if that depends on the credential. */
  provider?: string;
  about: About;
  request: HttpRequest & { body: string };
}

/** The header lines of an email stand as they are sent; `payload` is the body of a push; a request is without its credentials. */
export type Leaving =
  | { is: 'email'; headers: string; html: string; text: string }
  | { is: 'push'; headers?: Readonly<Record<string, string>>; payload: unknown }
  | LeavingRequest
  | { is: 'refused'; reason: string };

const headersIn = (bytes: Uint8Array): string => {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return message.subarray(0, message.indexOf('\r\n\r\n')).toString();
};

const emailBy = async (composer: Composer, message: Outgoing): Promise<Leaving> => {
  const email = await composed(message, composer, { isShown: true });
  if (email && 'fault' in email) return { is: 'refused', reason: email.fault };
  if (!email?.parts) return { is: 'refused', reason: 'it could not be made now' };
  return { is: 'email', headers: headersIn(email.bytes), ...email.parts };
};

const hidden = '***';

/** By whom it is shown: the app of a stored message has no credential. */
const shownBy = {
  sms: { name: 'Twilio', credential: { preset: 'twilio', account: hidden, token: hidden, from: hidden } },
  whats_app: {
    name: 'the Cloud API of WhatsApp',
    credential: { preset: 'whatsapp', phone_number_id: hidden, token: hidden },
  },
};

/** The address of its reports is a secret, too. */
const phoneBy = (channel: keyof typeof shownBy, message: Outgoing, about: About): Leaving => {
  const { name, credential } = shownBy[channel];
  const provider = providerIn(JSON.stringify(credential));
  const request = phoneRequestOf(provider, { ...message, report: hidden }, Date.now());
  return { is: 'request', provider: name, about, request: masked(request) };
};

const payloads: Readonly<Record<string, (message: Outgoing) => Leaving>> = {
  ios_push: (message) => ({ is: 'push', ...appleIn(message) }),
  live_activity: (message) => ({ is: 'push', ...liveIn(message) }),
  droid_push: (message) => ({ is: 'push', payload: droidIn(message) }),
  web_push: (message) => ({ is: 'push', payload: parseExact(webIn(message)) }),
  sms: (message) => phoneBy('sms', message, aboutSms(message.content)),
  whats_app: (message) => phoneBy('whats_app', message, aboutWhatsApp(message.content)),
  webhook: (message) => ({ is: 'request', about: {}, request: masked(webhookRequestOf(message, {})) }),
};

export const openPreviews = () => {
  const composer = openComposer();
  const made = async (channel: string, message: Outgoing): Promise<Leaving | undefined> =>
    channel === 'email' ? emailBy(composer, message) : payloads[channel]?.(message);
  return {
    /** `undefined`: nothing leaves, as with a content card. */
    leaving: (channel: string, message: Outgoing): Promise<Leaving | undefined> =>
      made(channel, message).catch(({ message: reason }: Error) => ({ is: 'refused', reason })),
    close: composer.close,
  };
};

export type Previews = ReturnType<typeof openPreviews>;
