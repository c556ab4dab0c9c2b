/** What can be set about messages: the credentials of apps, and how a workspace sends. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, described, flag, group, listOf, maybe, oneOf, reference, whole } from './schema-parts.ts';

/** By the platform of an app: the pushes that its devices get. */
const pushOfPlatform = { ios: 'ios_push', android: 'droid_push', web: 'web_push' } as const;

type Platform = keyof typeof pushOfPlatform;
type Push = (typeof pushOfPlatform)[Platform];

const platforms = Object.keys(pushOfPlatform) as Platform[];

export const PlatformSchema = oneOf(
  platforms,
  'Where the app runs: it says which pushes its devices get. Known without it where the app has credentials for pushes.',
);

const ten = (description: string) =>
  Type.String({ pattern: '^[A-Z0-9]{10}$', hint: '10 letters and digits', description });

const server = (description: string) =>
  maybe(
    Type.String({
      pattern: '^https?://[^\\s]{1,500}$',
      hint: 'an address that begins with https:// or http://',
      description,
    }),
  );

const provider = (description: string) =>
  maybe(
    described(description, {
      provider: reference('How the provider is asked, with its credentials: JSON, see docs/messaging.md.'),
      addresses_since: maybe(
        Type.String({
          pattern:
            '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?Z$',
          hint: 'a time such as 2026-01-31T12:00:00Z',
          description:
            'Addresses for answers of people that "roster channel address" made before this time have ended.',
        }),
      ),
    }),
  );

export const AppChannelsSchema = described(
  'Credentials by channel. Without them messages go to the outbox.',
  {
    ios_push: maybe(
      described('By which credentials pushes and live activities go to Apple devices.', {
        key: reference('The key for tokens of APNs: the text of the .p8 file.'),
        key_id: ten('The id of the key.'),
        team_id: ten('The id of the team.'),
        topic: Type.String({
          pattern: '^[A-Za-z0-9.-]{1,155}$',
          hint: 'a bundle id such as com.example.shop',
          description: 'The bundle id of the app.',
        }),
        url: server('Another server than that for apps from the store: https://api.sandbox.push.apple.com.'),
      }),
    ),
    droid_push: maybe(
      described('By which credentials pushes go to Android devices.', {
        account: reference('The service account of Firebase: the text of its JSON file.'),
        url: server('Another server than that of Google.'),
      }),
    ),
    web_push: maybe(
      described('By which credentials pushes go to browsers.', {
        private_key: reference('The private key of VAPID, in base64url.'),
        public_key: Type.String({
          pattern: '^[A-Za-z0-9_-]{87}$',
          hint: '87 characters of base64url',
          description: 'The public key of VAPID: the one that the page subscribes with.',
        }),
        contact: Type.String({
          pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://[^\\s]+)$',
          maxLength: 255,
          hint: 'mailto: with an email, or an https:// address',
          description: 'Whom a push service may ask about the pushes.',
        }),
      }),
    ),
    email: maybe(
      described('By which server emails of the app are sent.', {
        smtp: reference('The server: smtp:// or smtps://, with name and password.'),
        tls: maybe(
          Type.Literal('off', {
            description:
              'Emails, and the password, may go to the server of smtp:// in clear. Without it the server must offer STARTTLS, unless its IP is one of this machine (127.0.0.0/8, ::1).',
          }),
        ),
      }),
    ),
    sms: provider('By which provider text messages of the app are sent.'),
    whats_app: provider('By which provider WhatsApp messages of the app are sent.'),
    webhook: maybe(
      described('How webhooks are signed. That of the first app that has one counts.', {
        secret: reference('The secret of the signature: whsec_ and base64.'),
      }),
    ),
  },
);

const cappedChannels = [
  'ios_push',
  'droid_push',
  'web_push',
  'email',
  'sms',
  'whats_app',
  'webhook',
] as const;

const clock = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', hint: 'a time such as 22:00', description });

export const MessagingSettingsSchema = group({
  time_zone: Type.String({
    default: 'UTC',
    minLength: 1,
    maxLength: 64,
    description: 'The IANA time zone of people who have none of their own.',
  }),
  quiet_hours: maybe(
    described('Messages that would disturb wait until they are over.', {
      from: clock('When they begin, in local time.'),
      to: clock('When they end.'),
    }),
  ),
  frequency_caps: listOf(
    closed({
      channel: oneOf(cappedChannels),
      sends: whole('So many messages.', { minimum: 1, maximum: 1000 }),
      days: whole('In so many days.', { minimum: 1, maximum: 30 }),
    }),
    'Most messages of a channel that a person gets in some days.',
    { maxItems: 20 },
  ),
  late_minutes: whole('How late a schedule is still sent, when nothing could be sent at its time.', {
    default: 60,
    minimum: 1,
    maximum: 10_080,
  }),
  resend_unknown: flag('Whether a message is sent once more when it is unknown whether it was sent.', {
    default: false,
  }),
  webhook_private_hosts: flag(
    'Whether webhooks and pushes to browsers may go to hosts in private networks.',
    { default: false },
  ),
});

/** After the schema. */
export const messagingProblems = ({ quiet_hours }: Static<typeof MessagingSettingsSchema>): string[] =>
  quiet_hours && quiet_hours.from === quiet_hours.to
    ? ['messaging.quiet_hours must not begin and end at the same time; without quiet hours leave it out']
    : [];

interface App {
  platform?: Platform;
  channels?: Static<typeof AppChannelsSchema>;
}

const pushesIn = ({ channels = {} }: App): Push[] =>
  Object.values(pushOfPlatform).filter((push) => channels[push] !== undefined);

/** The channel whose pushes the devices of an app get; `undefined`: none. */
export const pushOf = (app: App): Push | undefined =>
  app.platform ? pushOfPlatform[app.platform] : pushesIn(app)[0];

export const platformOf = (app: App): Platform | undefined =>
  platforms.find((platform) => pushOfPlatform[platform] === pushOf(app));

/** An app has devices of one platform: credentials of another would never be used. */
export const platformProblems = (apps: readonly App[]): string[] =>
  apps.flatMap((app, place) =>
    pushesIn(app)
      .filter((push) => push !== pushOf(app))
      .map(
        (push) =>
          `apps[${place}].channels.${push} belongs to another platform than its app: make an app of its own`,
      ),
  );
