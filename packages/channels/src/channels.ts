/** One door to all providers: a message of the interface goes in, and what became of it comes out. */
import { withinTime, withoutSecrets } from '@roster/contract';
import { type Names, type NamesOptions, openNames } from '@roster/names';
import { appleIn, broadcastIn, liveIn } from './apple/apple-message.ts';
import { sendApple, toChannel } from './apple/send-apple.ts';
import type { Credentials } from './credentials.ts';
import { createTokens } from './droid/account.ts';
import { sendDroid } from './droid/send-droid.ts';
import { type Composer, type ComposerOptions, openComposer } from './email/composer.ts';
import { openConnections } from './http/connections.ts';
import { openSessions } from './http/sessions.ts';
import { createKept } from './kept.ts';
import type { Answer, Outgoing } from './outgoing.ts';
import { createPauses } from './pauses.ts';
import { sendPhone } from './phone/send-phone.ts';
import { anyTime, createPlaces, unbegun } from './places.ts';
import { createProofs } from './proofs.ts';
import { secretsOf } from './secrets.ts';
import type { WebOptions } from './web/send-web.ts';
import { sendWebhook } from './webhook/send-webhook.ts';

export type ProviderChannel = keyof Credentials;

/** The text beside the HTML of an email, where its sender gives none. */
export const plainTextOf = async (html: string): Promise<string> =>
  (await import('./email/plain-text.ts')).plainTextOf(html);

type Senders = {
  readonly [Name in ProviderChannel]: (credentials: Credentials[Name], message: Outgoing) => Promise<Answer>;
};

/** To one server. */
const mostEmailConnections = 20;

/** Of one message, whatever its steps take. */
const mostMs = 20_000;

const inTime = (sending: Promise<Answer>): Promise<Answer> =>
  withinTime(mostMs, sending, () => ({ state: 'unknown', reason: 'no_answer' }));

/** Loaded with the first email. What is no letter has a fault, too. */
export const composed = async (message: Outgoing, { compose }: Composer, shown: { isShown?: true } = {}) => {
  const { letterIn } = await import('./email/letter.ts');
  const letter = letterIn(message);
  return typeof letter === 'string' ? { fault: letter } : compose({ ...letter, ...shown }, message.leave);
};

/** What it is sent with is large as well. An email that waits to be made is not yet being sent. */
const sendMail = async (
  message: Outgoing,
  { smtp: url, tls }: Credentials['email'],
  { composer, names }: { composer: Composer; names: Names },
): Promise<Answer> => {
  const email = await composed(message, composer);
  if (!email) return unbegun;
  if ('fault' in email) return { state: 'refused', reason: 'message_invalid', words: email.fault };
  const { sendEmail } = await import('./email/send-email.ts');
  const lookup = names.lookupFor(message.leave?.ws ?? anyTime.ws);
  return sendEmail(email, { url, lookup, mayBeClear: tls === 'off' });
};

/** Likewise with the first push to a browser. */
const sendToBrowser = async (message: Outgoing, options: WebOptions): Promise<Answer> =>
  (await import('./web/send-web.ts')).sendWeb(message, options);

/** What tags of Liquid make of the HTML is not known yet. */
const emailFaultBy =
  (composer: Composer) =>
  async (ws: string, content: Outgoing['content']): Promise<string | undefined> => {
    if (String(content.body).includes('{%')) return undefined;
    const leave = { ...anyTime, ws };
    const email = await composed({ id: 'check', to: 'nobody@example.com', content, leave }, composer);
    return email && 'fault' in email ? email.fault : undefined;
  };

/** An email has an id of ours; others are the words of a provider, too. */
const withoutSecretsIn = <Name extends ProviderChannel>(
  answer: Answer,
  channel: Name,
  credentials: Credentials[Name],
): Answer => {
  const hide = (text: string): string => withoutSecrets(text, secretsOf(channel, credentials));
  if (answer.state === 'sent')
    return answer.id === undefined || channel === 'email' ? answer : { ...answer, id: hide(answer.id) };
  const { words = '', ...told } = answer;
  return words === '' ? told : { ...told, words: hide(words) };
};

/** What is thrown is about the credentials: nothing has left. */
const orUnreadable = async (send: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await send();
  } catch (error) {
    return { state: 'later', reason: 'credentials_unreadable', words: (error as Error).message };
  }
};

export interface ChannelsOptions extends ComposerOptions {
  names?: NamesOptions;
}

export const openChannels = ({ names: ofNames, ...emails }: ChannelsOptions = {}) => {
  const names = openNames(ofNames);
  const connections = openConnections(names);
  const sessions = openSessions(names);
  const composer = openComposer(emails);
  const proofs = createProofs();
  const droid = {
    sessions,
    proofs,
    pauses: createPauses(),
    tokens: createTokens({ connections, now: Date.now }),
  };
  const apple = {
    sessions,
    proofs,
    tokens: createKept<string>(),
    keyPauses: createPauses(),
    devicePauses: createPauses(),
  };
  const atMailServer = createPlaces(mostEmailConnections);
  const senders: Senders = {
    ios_push: (credentials, message) => inTime(sendApple(message, appleIn(message), credentials, apple)),
    live_activity: (credentials, message) =>
      inTime(
        message.content.broadcast === true
          ? sendApple(message, broadcastIn(message), credentials, apple, toChannel)
          : sendApple(message, liveIn(message), credentials, apple),
      ),
    droid_push: (credentials, message) => inTime(sendDroid(message, credentials, droid)),
    web_push: (keys, message) => inTime(sendToBrowser(message, { ...keys, connections, proofs })),
    sms: ({ provider }, message) => sendPhone(message, { provider, connections }),
    whats_app: ({ provider }, message) => sendPhone(message, { provider, connections }),
    webhook: (options, message) => sendWebhook(message, { ...options, connections }),
    email: (credentials, message) =>
      atMailServer(credentials.smtp, message.leave ?? anyTime, () =>
        sendMail(message, credentials, { composer, names }),
      ),
  };
  return {
    async send<Name extends ProviderChannel>(
      channel: Name,
      credentials: Credentials[Name],
      message: Outgoing,
    ): Promise<Answer> {
      return withoutSecretsIn(
        await orUnreadable(() => senders[channel](credentials, message)),
        channel,
        credentials,
      );
    },
    /** Why an email can be sent to nobody, as far as its text tells before it is written for each person. */
    emailFault: emailFaultBy(composer),
    async close(): Promise<void> {
      connections.close();
      sessions.close();
      names.close();
      await composer.close();
    },
  };
};

export type Channels = ReturnType<typeof openChannels>;
