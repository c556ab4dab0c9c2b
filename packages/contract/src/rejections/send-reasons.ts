/** Why a message did not arrive, or waits. Words of a provider may repeat its credentials: they are no part of a reason. */
export const sendReasons = {
  busy: {
    when: 'Many messages go to the same provider, or the machine is busy. It was not tried.',
    remedy: 'Nothing: it has its next turn soon.',
  },
  rate_limited: {
    when: 'The provider asks for a pause.',
    remedy:
      'Nothing: it is tried again after the pause. If it happens often, ask the provider for a higher limit.',
  },
  provider_unavailable: {
    when: 'The provider, or the receiver of the webhook, can not take it now.',
    remedy: 'Nothing: it is tried again. If it lasts, look at the status page of the provider.',
  },
  no_connection: {
    when: 'There was no connection to the server, or it has no address that may be used.',
    remedy: 'Check the name and port of the server, and whether the network lets the sender reach it.',
  },
  name_not_found: {
    when: 'There is no host of this name.',
    remedy: 'Check the name. It is looked up again after a minute.',
  },
  name_timeout: {
    when: 'The name servers do not answer for the name of the host.',
    remedy:
      'Nothing, if it is a host of somebody else: it is looked up again after a minute. Otherwise check the name servers.',
  },
  name_failed: {
    when: 'The name servers can not tell the IPs of the host.',
    remedy: 'Nothing, unless it lasts: then check the name servers.',
  },
  connection_lost: {
    when: 'The connection ended before the answer.',
    remedy: 'Nothing, unless it happens often: then check the network and the server.',
  },
  no_answer: {
    when: 'There was no answer in time.',
    remedy: 'Check the server: it has 10 s for an answer.',
  },
  answer_unreadable: {
    when: 'What answered does not speak the protocol of the channel.',
    remedy: 'Check the address and the port: something else may listen there.',
  },
  tls_failed: {
    when: 'There was no TLS connection: the certificate is not trusted, has expired or is for another host, or the server offers no TLS.',
    remedy: 'Correct the certificate of the server, or the address in the credential.',
  },
  redirected: {
    when: 'The server sent the request elsewhere. Redirects are not followed.',
    remedy: 'Write the address to which it redirects.',
  },
  private_network: {
    when: 'The address is in a private network.',
    remedy: 'Use a public address, or turn `messaging.webhook_private_hosts` on.',
  },
  request_invalid: {
    when: 'The URL or a header of the webhook can not be sent.',
    remedy: 'Correct the URL (`https://...`) or the header.',
  },
  no_credentials: {
    when: 'The app has no credentials for the channel.',
    remedy: 'Add `apps[].channels` to the file of the workspace.',
  },
  credentials_unreadable: {
    when: 'The credential of the app can not be read, or is none of this channel.',
    remedy: '`roster sends show` and `roster channel test` say what is wrong with it.',
  },
  credentials_refused: {
    when: 'The provider does not accept the credentials of the app, or the mail server offers no way to sign in with them.',
    remedy:
      'Correct them, or the address of the server: what waits is sent then. `roster channel test` tries them.',
  },
  provider_refused: {
    when: 'The provider, or the receiver of the webhook, refused it.',
    remedy:
      'Look the number up in the documentation of the provider; `roster sends show` has its words, if it gave any.',
  },
  recipient_refused: {
    when: 'The mail server refused the recipient.',
    remedy: 'Correct the address of the person.',
  },
  sender_refused: {
    when: 'The mail server refused the sender.',
    remedy: 'Use a `from` that belongs to the account at the mail server.',
  },
  channel_mismatch: {
    when: 'The token is of another app than the channel, the browser subscribed with other VAPID keys, or the settings of the channel are wrong. It stays in the profile.',
    remedy:
      'If it happens to many: correct the bundle id (`topic`), `url` (production or sandbox) or the project of the channel. `roster channel test` tries them.',
  },
  device_gone: {
    when: 'The token is of no device any more, or never was one. It is removed from the profile; one that never was, only once the provider knew another token of the channel. Or APNs has no such broadcast channel for the app: it is removed from the live activity, likewise.',
    remedy:
      'Nothing: the device sends a new token when the app opens. For a broadcast channel: make another one (`roster channel broadcast create`) and register it.',
  },
  not_delivered: {
    when: 'The provider took it, and reported later that it was not delivered.',
    remedy:
      'Look the number up in the documentation of the provider; `roster sends show` has its words, if it gave any.',
  },
  message_invalid: {
    when: 'What the template made for this person can not be sent.',
    remedy: '`roster sends show` and `roster sends preview` say what is wrong.',
  },
  message_too_large: {
    when: 'It is larger than the channel takes. Without a provider: than 64 KB.',
    remedy: 'Send less.',
  },
  sender_ended: {
    when: 'The process that sent it ended before the answer: it may have been sent.',
    remedy: 'The log of the sender says why it ended.',
  },
  sender_failed: {
    when: 'Sending failed inside Roster.',
    remedy: '`roster sends show` says what failed.',
  },
} as const;

export type SendReasonCode = keyof typeof sendReasons;

/** `credentials_refused (401)`: the number is the status of the provider. */
export type SendReason = SendReasonCode | `${SendReasonCode} (${number})`;

const mostNumber = 999_999;

/** What is no number of a provider is left out. */
export const sendReason = (code: SendReasonCode, number?: number): SendReason =>
  number !== undefined && Number.isInteger(number) && number > 0 && number <= mostNumber
    ? `${code} (${number})`
    : code;

const written = /^(?:given up after \d{1,3} tries: )?([a-z_]{1,40})(?: \(\d{1,6}\))?$/;

const isCode = (name: string): name is SendReasonCode => Object.hasOwn(sendReasons, name);

const codeIn = (reason: string): SendReasonCode | undefined => {
  const [, code = ''] = written.exec(reason) ?? [];
  return isCode(code) ? code : undefined;
};

const waits: ReadonlySet<string> = new Set(['planned', 'quiet_hours']);

/** Earlier versions wrote words of providers into reasons: these are not shown to callers. */
export const publicReason = (reason: string): string =>
  waits.has(reason) || codeIn(reason) !== undefined ? reason : 'not_told';

/** For operators: what it means, and what to do. */
export const aboutReason = (reason: string): string | undefined => {
  const code = codeIn(reason);
  return code && `${sendReasons[code].when} ${sendReasons[code].remedy}`;
};
