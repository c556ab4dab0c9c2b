/** Providers whose request is known: their credentials are enough. */
interface Preset {
  /** All of them are required, as texts. */
  members: readonly string[];
  /** See `Provider`. */
  provider(members: Readonly<Record<string, string>>): object;
}

const presets: Readonly<Record<string, Preset>> = {
  twilio: {
    members: ['account', 'token', 'from'],
    provider: ({ account = '', token = '', from = '' }) => ({
      url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
      user: account,
      password: token,
      form: {
        To: '{to}',
        Body: '{body}',
        MediaUrl: '{media_items}',
        // A number, or a pool of numbers.
        [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
      },
      id: 'sid',
    }),
  },
};

/** `undefined`: it is written down without a preset. `url` is another server than the provider's. */
export const presetIn = (written: object): object | undefined => {
  const { preset: name, url, ...given } = written as Record<string, unknown>;
  if (name === undefined) return undefined;
  const preset = typeof name === 'string' && Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (!preset)
    throw new Error(`the preset of the provider must be one of ${Object.keys(presets).join(', ')}`);
  const missing = preset.members.find((member) => typeof given[member] !== 'string' || given[member] === '');
  if (missing !== undefined) throw new Error(`the provider has no ${missing}`);
  if (Object.keys(given).length > preset.members.length)
    throw new Error(`the provider must have nothing but preset, ${preset.members.join(', ')} and url`);
  const provider = preset.provider(given as Record<string, string>);
  return url === undefined ? provider : { ...provider, url };
};
