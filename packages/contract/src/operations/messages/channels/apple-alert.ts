/** What an Apple device shows, of a push and of a live activity. */
import { type Static, Type } from '@sinclair/typebox';
import { maybe, plain, text } from '../../../shape.ts';
import { soundName } from './push.ts';

const line = (description: string) => maybe(text(description, { maxLength: 2000 }));
const args = maybe(Type.Array(text('A text.', { maxLength: 500 }), { maxItems: 20 }));

const alertParts = Type.Object({
  title: line('The title.'),
  body: line('The text.'),
  title_loc_key: line('The key of the title in the translations of the app.'),
  title_loc_args: args,
  action_loc_key: line('The key of the button.'),
  loc_key: line('The key of the text.'),
  loc_args: args,
  sound: soundName,
});

export const appleAlert = plain<string | Static<typeof alertParts>>({
  anyOf: [{ type: 'string', minLength: 1, maxLength: 2000 }, alertParts],
  description: 'What is shown: a text, or a title and a text.',
});
