import { phoneIn } from './calls.ts';

it.each([
  ['+15005550006', '+15005550006'],
  ['whatsapp:+15005550006', '+15005550006'],
  // WhatsApp itself leaves the plus out.
  ['15005550006', '+15005550006'],
  ['4930901820', '+4930901820'],
  ['sms:442079460958', '+442079460958'],
  ['5005550006', '+15005550006'],
  ['HELPDESK', undefined],
  ['12345', undefined],
  ['', undefined],
])('an answer of %p is one of %p', (from, phone) => {
  expect(phoneIn(from)).toBe(phone);
});
