/** What the pushes of all platforms have in common. */
import { type TSchema, Type } from '@sinclair/typebox';
import { flag, label, listOf, maybe, objectOf, oneOf, text, whole } from '../../../shape.ts';

export const uri = maybe(
  text('What a tap opens: a URL, or a place in the app.', { minLength: 1, maxLength: 2048 }),
);

export const useWebview = maybe(flag('Whether the app opens the URL inside the app.'));

export const picture = (description: string) => maybe(text(description, { minLength: 1, maxLength: 2048 }));

export const recentOnly = maybe(flag('Sends only to the device whose token was registered last.'));

export const soundName = maybe(label('The sound, by its name in the app.'));

export const extraTexts = maybe(
  Type.Record(
    Type.String({ pattern: '^[^\\x00-\\x1f]{1,255}$' }),
    text('A value, with Liquid.', { maxLength: 4000 }),
    { maxProperties: 100, additionalProperties: false, description: 'More data for the app, as texts.' },
  ),
);

export const timeToLive = maybe(
  whole('How long delivery is tried, in seconds.', { minimum: 0, maximum: 2_419_200 }),
);

const action = oneOf(['OPEN_APP', 'URI', 'DEEP_LINK', 'CLOSE'], 'What the button does.');

export const buttonsOf = <Members extends Record<string, TSchema>>(members: Members) =>
  maybe(
    listOf(
      objectOf('A button.', { ...members, action: maybe(action), uri, use_webview: useWebview }),
      'Buttons below the push.',
      { maxItems: 4 },
    ),
  );
