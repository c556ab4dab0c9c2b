/** What the pushes of all platforms have in common. */
import { type TSchema, Type } from '@sinclair/typebox';
import { oneOf, text } from '../../../shape.ts';

export const uri = Type.Optional(
  text('What a tap opens: a URL, or a place in the app.', { minLength: 1, maxLength: 2048 }),
);

export const useWebview = Type.Optional(
  Type.Boolean({ description: 'Whether the app opens the URL inside the app.' }),
);

export const picture = (description: string) =>
  Type.Optional(text(description, { minLength: 1, maxLength: 2048 }));

export const recentOnly = Type.Optional(
  Type.Boolean({ description: 'Sends only to the device whose token was registered last.' }),
);

export const soundName = Type.Optional(
  text('The sound, by its name in the app.', { minLength: 1, maxLength: 255 }),
);

export const extraTexts = Type.Optional(
  Type.Record(
    Type.String({ pattern: '^[^\\x00-\\x1f]{1,255}$' }),
    text('A value, with Liquid.', { maxLength: 4000 }),
    { maxProperties: 100, additionalProperties: false, description: 'More data for the app, as texts.' },
  ),
);

export const timeToLive = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2_419_200,
    description: 'How long delivery is tried, in seconds.',
  }),
);

const action = oneOf(['OPEN_APP', 'URI', 'DEEP_LINK', 'CLOSE'], 'What the button does.');

export const buttonsOf = <Members extends Record<string, TSchema>>(members: Members) =>
  Type.Optional(
    Type.Array(
      Type.Object(
        { ...members, action: Type.Optional(action), uri, use_webview: useWebview },
        { description: 'A button.' },
      ),
      { maxItems: 4, description: 'Buttons below the push.' },
    ),
  );
