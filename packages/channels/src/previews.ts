/** A stored message as it would leave, made by the functions that make what is sent. */
import { parseExact } from '@roster/contract';
import { appleIn, liveIn } from './apple/apple-message.ts';
import { composed } from './channels.ts';
import { droidIn } from './droid/send-droid.ts';
import { type Composer, openComposer } from './email/composer.ts';
import type { Outgoing } from './outgoing.ts';
import { webIn } from './web/send-web.ts';

/** The header lines of an email stand as they are sent; `payload` is the body of a push. */
export type Leaving =
  | { is: 'email'; headers: string; html: string; text: string }
  | { is: 'push'; headers?: Readonly<Record<string, string>>; payload: unknown }
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

const payloads: Readonly<
  Record<string, (message: Outgoing) => Omit<Extract<Leaving, { is: 'push' }>, 'is'>>
> = {
  ios_push: appleIn,
  live_activity: liveIn,
  droid_push: (message) => ({ payload: droidIn(message) }),
  web_push: (message) => ({ payload: parseExact(webIn(message)) }),
};

export const openPreviews = () => {
  const composer = openComposer();
  const made = async (channel: string, message: Outgoing): Promise<Leaving | undefined> => {
    if (channel === 'email') return emailBy(composer, message);
    const push = payloads[channel]?.(message);
    return push && { is: 'push', payload: push.payload, ...(push.headers && { headers: push.headers }) };
  };
  return {
    /** `undefined`: what leaves depends on the provider. */
    leaving: (channel: string, message: Outgoing): Promise<Leaving | undefined> =>
      made(channel, message).catch(({ message: reason }: Error) => ({ is: 'refused', reason })),
    close: composer.close,
  };
};

export type Previews = ReturnType<typeof openPreviews>;
