/** The exported user, field by field. */
import { type Static, Type } from '@sinclair/typebox';
import { userAlias } from '../../entries/identifiers.ts';
import {
  app,
  campaignReceived,
  canvasReceived,
  cardClicked,
  device,
  pushToken,
} from '../../entries/list-shapes.ts';
import { anyObject, flag, listOf, objectOf, objectShape, optional, plain, text, whole } from '../../shape.ts';

const counted = (what: string, name: string) =>
  objectOf(what, {
    name: text(name),
    first: text('Time of the first one of the last 90 days, ISO 8601.'),
    last: text('Time of the last one, ISO 8601.'),
    count: whole('How many of the last 90 days.', { minimum: 1 }),
  });

const subscriptionGroup = objectShape(
  'SubscriptionGroupMembership',
  'What counts for a subscription group: the last statement about the email or phone, or about the person.',
  {
    id: text('Id of the subscription group.'),
    state: text('`subscribed` or `unsubscribed`.'),
    since: text('When that was said, ISO 8601.'),
  },
);

const state = (about: string) =>
  text(
    `Consent to ${about}: \`opted_in\`, \`subscribed\` or \`unsubscribed\`. The last statement that counts for the person.`,
  );

export const exportedUser = objectShape(
  'ExportedUser',
  'A profile, with the fields that were asked for. Lists and objects are there even when they are empty; any other field that is missing is null or false.',
  optional({
    external_id: text('Id of the person in your own system: the present one.'),
    service_id: text('Id that Roster gave the person.'),
    user_aliases: listOf(userAlias, 'Aliases.'),
    email: text('Email address, as it was given.'),
    phone: text('Phone number, E.164.'),
    first_name: text('First name.'),
    last_name: text('Last name.'),
    dob: text('Date of birth, `YYYY-MM-DD`.'),
    gender: text('`M`, `F`, `O`, `N`, `P` or `nil`.'),
    home_city: text('Home city.'),
    country: text('ISO 3166-1 alpha-2.'),
    language: text('ISO 639-1.'),
    time_zone: text('IANA name.'),
    last_coordinates: plain<[number, number]>({
      type: 'array',
      items: { type: 'number', description: 'Degrees.' },
      minItems: 2,
      maxItems: 2,
      description: 'Where the person was last, `[longitude, latitude]`.',
    }),
    created_at: text('When the profile was created, ISO 8601.'),
    custom_attributes: anyObject('Custom attributes by name.'),
    custom_events: listOf(
      counted('Events of one name.', 'Name of the event.'),
      'Events of the last 90 days, to the millisecond before the request was accepted, by name; those of merged-away profiles too.',
    ),
    purchases: listOf(
      counted('Purchases of one product.', 'Id of the product.'),
      'Purchases of the last 90 days by product, in the same way.',
    ),
    total_revenue: Type.Number({
      description:
        "All purchases ever, in the workspace's reporting currency, merged-away profiles included. Summed up in decimals.",
    }),
    random_bucket: whole('A number that stays the same for the person.', { minimum: 0, maximum: 9999 }),
    email_subscribe: state('email'),
    push_subscribe: state('push'),
    push_opted_in_at: text('When the person agreed to push, ISO 8601.'),
    subscription_groups: listOf(
      subscriptionGroup,
      'Subscription groups in which the person has a recorded state. Not in the hosted interface.',
    ),
    apps: listOf(app, 'Apps that the person uses.'),
    devices: listOf(device, 'Devices of the person.'),
    push_tokens: listOf(pushToken, 'Push tokens, with `app`.'),
    campaigns_received: listOf(campaignReceived, 'Campaigns that the person received.'),
    canvases_received: listOf(canvasReceived, 'Canvases that the person entered.'),
    cards_clicked: listOf(cardClicked, 'Cards that the person clicked.'),
    attributed_ad: text('Ad that brought the person.'),
    attributed_adgroup: text('Group of ads that brought the person.'),
    attributed_campaign: text('Campaign that brought the person.'),
    attributed_source: text('Source that brought the person.'),
    uninstalled_at: text('When the app was uninstalled, ISO 8601.'),
    date_of_first_session: text('Time of the first session, ISO 8601.'),
    date_of_last_session: text('Time of the last session, ISO 8601.'),
    email_click_tracking_disabled: flag('Whether clicks in mails are not counted.'),
    email_open_tracking_disabled: flag('Whether opened mails are not counted.'),
    facebook: anyObject('Facebook account.'),
    image_url: text('URL of a picture of the person.'),
    marked_email_as_spam_at: text('When the person marked a mail as spam, ISO 8601.'),
    twitter: anyObject('Twitter account.'),
  }),
);

export type ExportedUser = Static<typeof exportedUser>;

/** The fields that can be asked for. */
export const exportableFields: readonly string[] = Object.keys(exportedUser.properties);
