/** The exported user, field by field. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { userAlias } from '../../entries/identifiers.ts';
import {
  app,
  campaignReceived,
  canvasReceived,
  cardClicked,
  device,
  pushToken,
} from '../../entries/list-shapes.ts';
import { anyObject, flag, listOf, maybe, objectOf, objectShape, plain, text, whole } from '../../shape.ts';

const maybeText = (description: string) => maybe(text(description));
const maybeFlag = (description: string) => maybe(flag(description));

const account = (description: string) => maybe(anyObject(description));

const list = <Item extends TSchema>(items: Item, description: string) => maybe(listOf(items, description));

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
  maybeText(
    `Consent to ${about}: \`opted_in\`, \`subscribed\` or \`unsubscribed\`. The last statement that counts for the person.`,
  );

export const exportedUser = objectShape(
  'ExportedUser',
  'A profile, with the fields that were asked for. Lists and objects are there even when they are empty; any other field that is missing is null or false.',
  {
    external_id: maybeText('Id of the person in your own system: the present one.'),
    service_id: maybeText('Id that Roster gave the person.'),
    user_aliases: list(userAlias, 'Aliases.'),
    email: maybeText('Email address, as it was given.'),
    phone: maybeText('Phone number, E.164.'),
    first_name: maybeText('First name.'),
    last_name: maybeText('Last name.'),
    dob: maybeText('Date of birth, `YYYY-MM-DD`.'),
    gender: maybeText('`M`, `F`, `O`, `N`, `P` or `nil`.'),
    home_city: maybeText('Home city.'),
    country: maybeText('ISO 3166-1 alpha-2.'),
    language: maybeText('ISO 639-1.'),
    time_zone: maybeText('IANA name.'),
    last_coordinates: maybe(
      plain<[number, number]>({
        type: 'array',
        items: { type: 'number', description: 'Degrees.' },
        minItems: 2,
        maxItems: 2,
        description: 'Where the person was last, `[longitude, latitude]`.',
      }),
    ),
    created_at: maybeText('When the profile was created, ISO 8601.'),
    custom_attributes: maybe(anyObject('Custom attributes by name.')),
    custom_events: list(
      counted('Events of one name.', 'Name of the event.'),
      'Events of the last 90 days, to the millisecond before the request was accepted, by name; those of merged-away profiles too.',
    ),
    purchases: list(
      counted('Purchases of one product.', 'Id of the product.'),
      'Purchases of the last 90 days by product, in the same way.',
    ),
    total_revenue: maybe(
      Type.Number({
        description:
          "All purchases ever, in the workspace's reporting currency, merged-away profiles included. Summed up in decimals.",
      }),
    ),
    random_bucket: maybe(
      whole('A number that stays the same for the person.', { minimum: 0, maximum: 9999 }),
    ),
    email_subscribe: state('email'),
    push_subscribe: state('push'),
    push_opted_in_at: maybeText('When the person agreed to push, ISO 8601.'),
    subscription_groups: list(
      subscriptionGroup,
      'Subscription groups in which the person has a recorded state. Not in the hosted interface.',
    ),
    apps: list(app, 'Apps that the person uses.'),
    devices: list(device, 'Devices of the person.'),
    push_tokens: list(pushToken, 'Push tokens, with `app`.'),
    campaigns_received: list(campaignReceived, 'Campaigns that the person received.'),
    canvases_received: list(canvasReceived, 'Canvases that the person entered.'),
    cards_clicked: list(cardClicked, 'Cards that the person clicked.'),
    attributed_ad: maybeText('Ad that brought the person.'),
    attributed_adgroup: maybeText('Group of ads that brought the person.'),
    attributed_campaign: maybeText('Campaign that brought the person.'),
    attributed_source: maybeText('Source that brought the person.'),
    uninstalled_at: maybeText('When the app was uninstalled, ISO 8601.'),
    date_of_first_session: maybeText('Time of the first session, ISO 8601.'),
    date_of_last_session: maybeText('Time of the last session, ISO 8601.'),
    email_click_tracking_disabled: maybeFlag('Whether clicks in mails are not counted.'),
    email_open_tracking_disabled: maybeFlag('Whether opened mails are not counted.'),
    facebook: account('Facebook account.'),
    image_url: maybeText('URL of a picture of the person.'),
    marked_email_as_spam_at: maybeText('When the person marked a mail as spam, ISO 8601.'),
    twitter: account('Twitter account.'),
  },
);

export type ExportedUser = Static<typeof exportedUser>;

/** The fields that can be asked for. */
export const exportableFields: readonly string[] = Object.keys(exportedUser.properties);
