import { present } from '@roster/contract';

/** Providers whose request is known: their credentials are enough. */
interface Preset {
  /** Texts. */
  required: readonly string[];
  optional: readonly string[];
  /** See `Provider`. */
  provider(members: Readonly<Record<string, string>>): object;
}

const byMeta = (secret: string) => ({
  by: 'body',
  secret,
  header: 'x-hub-signature-256',
  prefix: 'sha256=',
});

/** Signed, unless the credential says that calls are not. */
const callsOf = (signature: object | undefined, unsigned_calls: string | undefined): object =>
  unsigned_calls === undefined ? { ...(signature && { signature }) } : { unsigned_calls };

const presets: Readonly<Record<string, Preset>> = {
  twilio: {
    required: ['account', 'token', 'from'],
    optional: ['help', 'unsigned_calls'],
    provider: ({ account = '', token = '', from = '', help, unsigned_calls }) => ({
      ...callsOf({ by: 'twilio', secret: token }, unsigned_calls),
      url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
      user: account,
      password: token,
      form: {
        To: '{to}',
        Body: '{body}',
        MediaUrl: '{media_items}',
        StatusCallback: '{report}',
        // A number, or a pool of numbers.
        [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
      },
      id: 'sid',
      report: {
        state: 'MessageStatus',
        delivered: ['delivered', 'read'],
        failed: ['failed', 'undelivered'],
        reason: 'ErrorCode',
        to: 'To',
      },
      opted_out: { code: 'code', codes: ['21610'] },
      answer: { from: 'From', text: 'Body', id: 'MessageSid', ...(help !== undefined && { help }) },
    }),
  },
  // Reports and answers come to one address; a report has the id of the message that was sent with it.
  whatsapp: {
    required: ['phone_number_id', 'token'],
    optional: ['app_secret', 'unsigned_calls'],
    provider: ({ phone_number_id = '', token = '', app_secret, unsigned_calls }) => ({
      ...callsOf(app_secret === undefined ? undefined : byMeta(app_secret), unsigned_calls),
      url: `https://graph.facebook.com/v21.0/${encodeURIComponent(phone_number_id)}/messages`,
      headers: { Authorization: `Bearer ${token}` },
      json: {
        messaging_product: 'whatsapp',
        to: '{to}',
        type: '{message_type}',
        '{message_type}': '{message}',
        biz_opaque_callback_data: '{id}',
      },
      id: 'messages.0.id',
      report: {
        each: 'entry.*.changes.*.value.statuses.*',
        message: 'biz_opaque_callback_data',
        state: 'status',
        delivered: ['delivered', 'read'],
        failed: ['failed'],
        reason: 'errors.0.title',
        code: 'errors.0.code',
        to: 'recipient_id',
      },
      opted_out: { code: 'error.code', codes: ['131050'] },
      answer: { each: 'entry.*.changes.*.value.messages.*', from: 'from', text: 'text.body', id: 'id' },
    }),
  },
};

/** `undefined`: it is written down without a preset. `url` is another server than the provider's, and `tls` is said of it. */
export const presetIn = (written: object): object | undefined => {
  const { preset: name, url, tls, ...given } = written as Record<string, unknown>;
  if (name === undefined) return undefined;
  const preset = typeof name === 'string' && Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (!preset)
    throw new Error(`the preset of the provider must be one of ${Object.keys(presets).join(', ')}`);
  const { required, optional } = preset;
  const missing = required.find((member) => typeof given[member] !== 'string' || given[member] === '');
  if (missing !== undefined) throw new Error(`the provider has no ${missing}`);
  const known = [...required, ...optional];
  if (Object.entries(given).some(([member, value]) => !known.includes(member) || typeof value !== 'string'))
    throw new Error(`the provider must have nothing but preset, ${known.join(', ')}, url and tls, as texts`);
  const provider = preset.provider(given as Record<string, string>);
  return { ...provider, ...present({ url, tls }) };
};
