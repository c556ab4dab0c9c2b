/** What messages have in common. */
import { Type } from '@sinclair/typebox';
import { text } from '../../shape.ts';

export const variationId = Type.Optional(
  text('Which variation of a campaign it is.', { minLength: 1, maxLength: 255 }),
);
