/** What the pushes of all platforms have in common. */
import { type TSchema, Type } from '@sinclair/typebox';
import { plain, text } from '../../shape.ts';

export const uri = Type.Optional(
  text('Where the push leads: an address, or a place in the app.', { minLength: 1, maxLength: 2048 }),
);

export const useWebview = Type.Optional(
  Type.Boolean({ description: 'Whether the app opens it inside of itself.' }),
);

export const picture = (description: string) =>
  Type.Optional(text(description, { minLength: 1, maxLength: 2048 }));

export const recentOnly = Type.Optional(
  Type.Boolean({ description: 'Only to the device whose token came last.' }),
);

const action = plain<'OPEN_APP' | 'URI' | 'DEEP_LINK' | 'CLOSE'>({
  type: 'string',
  enum: ['OPEN_APP', 'URI', 'DEEP_LINK', 'CLOSE'],
  description: 'What the button does.',
});

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
