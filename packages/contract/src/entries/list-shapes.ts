/** What a person has several of, as it is sent and as it is exported. A member that is `null` is as good as missing. */
import { booleanOrNull, maybe, objectOf, objectShape, plain, text, textOrNull } from '../shape.ts';

const maybeText = (description: string) => maybe(textOrNull(description, { maxLength: 1024 }));
const maybeFlag = (description: string) => maybe(booleanOrNull(description));
const maybeTime = (description: string) => maybe(textOrNull(description, { maxLength: 64 }));
const requiredText = (description: string) => text(description, { minLength: 1, maxLength: 1024 });

const flags = (description: string) =>
  maybe(
    plain<{ [name: string]: boolean } | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'boolean', description: 'Whether the person did it.' },
      description,
    }),
  );

export const app = objectShape('App', 'An app that the person uses. Known again by its name and platform.', {
  name: requiredText('Name of the app.'),
  platform: maybeText('Platform.'),
  version: maybeText('Version.'),
  sessions: maybe(
    plain<string | number | null>({
      type: ['string', 'integer', 'null'],
      maxLength: 64,
      description: 'How often it was used; a text when it is exported.',
    }),
  ),
  first_used: maybeTime('When it was first used.'),
  last_used: maybeTime('When it was last used.'),
});

export const device = objectShape('Device', 'A device of the person. Known again by its `device_id`.', {
  device_id: requiredText('Id of the device.'),
  model: maybeText('Model.'),
  os: maybeText('Operating system.'),
  carrier: maybeText('Mobile carrier.'),
  idfv: maybeText('Id for the vendor.'),
  idfa: maybeText('Id for advertisers.'),
  mobile_ad_id: maybeText('Advertising id of a mobile device.'),
  tv_ad_id: maybeText('Advertising id of a television.'),
  ad_tracking_enabled: maybeFlag('Whether it may be used for advertising.'),
});

const appOfToken = (description: string) =>
  maybe(
    plain<string>({
      type: 'string',
      maxLength: 255,
      description,
      'x-errors': { type: 'BAD_PUSH_TOKEN_APP_ID', maxLength: 'BAD_PUSH_TOKEN_APP_ID' },
    }),
  );

export const pushToken = objectShape(
  'PushToken',
  'A push token. Known again by app and token.',
  {
    app_id: appOfToken('Id of the app, one of the workspace.'),
    app: appOfToken(
      'The same, as it is exported, or the name of the app, as the hosted interface exports it: of apps with one name, that of the `platform`. One of the two is required.',
    ),
    token: plain<string>({
      type: 'string',
      minLength: 1,
      maxLength: 4096,
      description: 'The token.',
      'x-errors': { type: 'BAD_PUSH_TOKEN_STRING', minLength: 'BAD_PUSH_TOKEN_STRING' },
    }),
    device_id: maybe(
      textOrNull('Id of the device, 8 to 254 bytes; one is made up when there is none.', {
        maxLength: 1024,
        'x-errors': { type: 'BAD_DEVICE_ID', maxLength: 'BAD_DEVICE_ID' },
      }),
    ),
    platform: maybeText('Platform.'),
    notifications_enabled: maybeFlag('Whether the device shows notifications.'),
    provisionally_opted_in: maybeFlag('Whether notifications are delivered quietly.'),
    activity_attributes_type: maybeText(
      'Of a token that starts live activities: the type of their attributes. Such a token gets no pushes. Not in the hosted interface.',
    ),
  },
  { 'x-errors': { type: 'BAD_PUSH_TOKEN_VALUE', required: 'BAD_PUSH_TOKEN_STRING' } },
);

export const campaignReceived = objectShape(
  'CampaignReceived',
  'A campaign that the person received. Known again by its id, or else its name.',
  {
    name: requiredText('Name of the campaign.'),
    api_campaign_id: maybeText('Id of the campaign.'),
    last_received: maybeTime('When it was last received.'),
    engaged: flags('What the person did with it, such as `opened_email`.'),
    converted: maybeFlag('Whether the person converted.'),
    multiple_converted: flags('The same for each conversion event.'),
    variation_name: maybeText('Name of the variant.'),
    variation_api_id: maybeText('Id of the variant.'),
    in_control: maybeFlag('Whether the person is in the control group.'),
  },
);

const step = objectOf('A step.', {
  name: maybeText('Name of the step.'),
  api_canvas_step_id: maybeText('Id of the step.'),
  last_received: maybeTime('When it was last received.'),
});

export const canvasReceived = objectShape(
  'CanvasReceived',
  'A canvas (journey) that the person entered. Known again by its id, or else its name.',
  {
    name: requiredText('Name of the canvas.'),
    api_canvas_id: maybeText('Id of the canvas.'),
    last_received_message: maybeTime('When a message of it was last received.'),
    last_entered: maybeTime('When the person last entered it.'),
    last_entered_control_at: maybeTime('When the person last entered its control group.'),
    last_exited: maybeTime('When the person last left it.'),
    variation_name: maybeText('Name of the variant.'),
    in_control: maybeFlag('Whether the person is in the control group.'),
    steps_received: maybe(
      plain<object[] | null>({
        type: ['array', 'null'],
        maxItems: 1000,
        items: step,
        description: 'Steps that were received.',
      }),
    ),
  },
);

export const cardClicked = objectShape(
  'CardClicked',
  'A card that the person clicked. Known again by its name.',
  { name: requiredText('Name of the card.') },
);
