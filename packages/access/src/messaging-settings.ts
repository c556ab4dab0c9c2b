/** The settings of messages: the credentials of apps, and how a workspace sends. */
import { type Static, Type } from '@sinclair/typebox';
import { reference } from './reference.ts';

const closed = { additionalProperties: false };

/** By the platform of an app: the pushes that its devices get. */
export const pushOfPlatform = { ios: 'ios_push', android: 'droid_push', web: 'web_push' } as const;

const provider = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        provider: reference('How the provider is asked, with its credentials: JSON, see docs/messaging.md.'),
      },
      { ...closed, description },
    ),
  );

const url = Type.Optional(
  Type.String({
    pattern: '^https?://[^\\s]{1,500}$',
    hint: 'an address that begins with https:// or http://',
    description: 'Another server than the usual one: a sandbox, a proxy, a server of a test.',
  }),
);

const ten = (description: string) =>
  Type.String({ pattern: '^[A-Z0-9]{10}$', hint: '10 letters and digits', description });

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
          url,
        },
        { ...closed, description: 'By which credentials pushes and live activities go to Apple devices.' },
      ),
    ),
    droid_push: Type.Optional(
      Type.Object(
        { account: reference('The service account of Firebase: the text of its JSON file.'), url },
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
    sms: provider('By which provider text messages of the app are sent.'),
    whats_app: provider('By which provider WhatsApp messages of the app are sent.'),
    email: Type.Optional(
      Type.Object(
        { smtp: reference('The server: smtp:// or smtps://, with name and password.') },
        { ...closed, description: 'By which server emails of the app are sent.' },
      ),
    ),
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
          channel: Type.Union(
            cappedChannels.map((channel) => Type.Literal(channel)),
            { hint: `one of ${cappedChannels.join(', ')}` },
          ),
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
      description: 'Whether webhooks may go to hosts in private networks.',
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
  platform?: keyof typeof pushOfPlatform;
  channels?: Static<typeof AppChannelsSchema>;
}

/** The platform says which pushes an app gets; credentials for others would never be used. */
export const platformProblems = (apps: readonly App[]): string[] =>
  apps.flatMap(({ platform, channels = {} }, place) =>
    Object.entries(pushOfPlatform).flatMap(([wanted, channel]) =>
      channels[channel] && platform !== wanted
        ? [`apps[${place}].platform must be ${wanted}, because it has channels.${channel}`]
        : [],
    ),
  );
