/** What can be set about messages: the credentials of apps, and how a workspace sends. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, oneOf, reference } from './schema-parts.ts';

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
  Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]{1,500}$',
      hint: 'an address that begins with https:// or http://',
      description,
    }),
  );

const provider = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        provider: reference('How the provider is asked, with its credentials: JSON, see docs/messaging.md.'),
      },
      { ...closed, description },
    ),
  );

export const AppChannelsSchema = Type.Object(
  {
    ios_push: Type.Optional(
      Type.Object(
        {
          key: reference('The key for tokens of APNs: the text of the .p8 file.'),
          key_id: ten('The id of the key.'),
          team_id: ten('The id of the team.'),
          topic: Type.String({
            pattern: '^[A-Za-z0-9.-]{1,155}$',
            hint: 'a bundle id such as com.example.shop',
            description: 'The bundle id of the app.',
          }),
          url: server(
            'Another server than that for apps from the store: https://api.sandbox.push.apple.com.',
          ),
        },
        { ...closed, description: 'By which credentials pushes and live activities go to Apple devices.' },
      ),
    ),
    droid_push: Type.Optional(
      Type.Object(
        {
          account: reference('The service account of Firebase: the text of its JSON file.'),
          url: server('Another server than that of Google.'),
        },
        { ...closed, description: 'By which credentials pushes go to Android devices.' },
      ),
    ),
    web_push: Type.Optional(
      Type.Object(
        {
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
        },
        { ...closed, description: 'By which credentials pushes go to browsers.' },
      ),
    ),
    email: Type.Optional(
      Type.Object(
        { smtp: reference('The server: smtp:// or smtps://, with name and password.') },
        { ...closed, description: 'By which server emails of the app are sent.' },
      ),
    ),
    sms: provider('By which provider text messages of the app are sent.'),
    whats_app: provider('By which provider WhatsApp messages of the app are sent.'),
    webhook: Type.Optional(
      Type.Object(
        { secret: reference('The secret of the signature: whsec_ and base64.') },
        { ...closed, description: 'How webhooks are signed. That of the first app that has one counts.' },
      ),
    ),
  },
  { ...closed, description: 'Credentials by channel. Without them messages go to the outbox.' },
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

export const MessagingSettingsSchema = Type.Object(
  {
    time_zone: Type.String({
      default: 'UTC',
      minLength: 1,
      maxLength: 64,
      description: 'The IANA time zone of people who have none of their own.',
    }),
    quiet_hours: Type.Optional(
      Type.Object(
        { from: clock('When they begin, in local time.'), to: clock('When they end.') },
        { ...closed, description: 'Messages that would disturb wait until they are over.' },
      ),
    ),
    frequency_caps: Type.Array(
      Type.Object(
        {
          channel: oneOf(cappedChannels),
          sends: Type.Integer({ minimum: 1, maximum: 1000, description: 'So many messages.' }),
          days: Type.Integer({ minimum: 1, maximum: 30, description: 'In so many days.' }),
        },
        closed,
      ),
      {
        default: [],
        maxItems: 20,
        description: 'Most messages of a channel that a person gets in some days.',
      },
    ),
    late_minutes: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 10_080,
      description: 'How late a schedule is still sent, when nothing could be sent at its time.',
    }),
    resend_unknown: Type.Boolean({
      default: false,
      description: 'Whether a message is sent once more when it is unknown whether it was sent.',
    }),
    webhook_private_hosts: Type.Boolean({
      default: false,
      description: 'Whether webhooks and pushes to browsers may go to hosts in private networks.',
    }),
  },
  { ...closed, default: {} },
);

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
