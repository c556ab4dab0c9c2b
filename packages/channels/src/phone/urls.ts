/** The addresses at which a provider of text messages tells what became of a message, and what people answer. Who knows one may use it. */
import { present } from '@roster/contract';
import type { Secrets } from '@roster/secrets';
import { createSigned } from '../signed.ts';

type PhoneChannel = 'sms' | 'whats_app';

export interface PhoneCall {
  ws: string;
  app: string;
  channel: PhoneChannel;
  /** The message that is told of; none where people answer. */
  message?: string;
}

/** An address of an earlier version has neither. */
interface Made {
  /** Where the pages are reached from outside, as the provider was told. */
  base?: string;
  /** When, in milliseconds. */
  made?: number;
}

export const phonePath = '/phone/';

/** `base`: where the pages are reached from outside, without a slash at its end. */
export const createPhoneUrls = (secrets: Secrets, now: () => number = Date.now) => {
  const signed = createSigned(secrets, 'roster phone 1', now);
  return {
    url: (base: string, { ws, app, channel, message = '' }: PhoneCall): string =>
      `${base}${phonePath}${signed.sign([ws, app, channel, message, base, now()])}`,
    read(text: string): (PhoneCall & Made) | undefined {
      const value = signed.read(text);
      if (value === undefined) return undefined;
      const [ws, app, channel, message, base, made] = value as [
        ...[string, string, PhoneChannel, string],
        ...[string | undefined, number | undefined],
      ];
      return { ws, app, channel, ...(message !== '' && { message }), ...present({ base, made }) };
    },
  };
};

export type PhoneUrls = ReturnType<typeof createPhoneUrls>;
