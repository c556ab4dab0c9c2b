/** For tests: an email that can be made. */
import type { Letter } from './letter.ts';

export const aLetter = (more: Partial<Letter> = {}): Letter => ({
  id: 'd1-ada',
  from: { name: 'Shop', address: 'news@shop.example' },
  to: 'ada@example.com',
  subject: 'Hi',
  body: '<p>Hi</p>',
  isInlined: false,
  headers: {},
  ...more,
});
