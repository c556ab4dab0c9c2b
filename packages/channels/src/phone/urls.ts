/** The addresses at which a provider of text messages tells what became of a message, and what people answer. Who knows one may use it. */
import { createSigned } from '../signed.ts';

type PhoneChannel = 'sms' | 'whats_app';

export interface PhoneCall {
  ws: string;
  app: string;
  channel: PhoneChannel;
  /** The message that is told of; none where people answer. */
  message?: string;
}

export const phonePath = '/phone/';

/** `base`: where the pages are reached from outside, without a slash at its end. */
export const createPhoneUrls = (secret: string) => {
  const signed = createSigned(secret, 'roster phone 1');
  return {
    url: (base: string, { ws, app, channel, message = '' }: PhoneCall): string =>
      `${base}${phonePath}${signed.sign([ws, app, channel, message])}`,
    read(text: string): PhoneCall | undefined {
      const value = signed.read(text);
      if (value === undefined) return undefined;
      const [ws, app, channel, message] = value as [string, string, PhoneChannel, string];
      return { ws, app, channel, ...(message !== '' && { message }) };
    },
  };
};

export type PhoneUrls = ReturnType<typeof createPhoneUrls>;
