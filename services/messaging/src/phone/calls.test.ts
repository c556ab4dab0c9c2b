import { challengeIn, phoneIn } from './calls.ts';

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

it.each([
  ['hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x', '1158201444'],
  ['hub.mode=unsubscribe&hub.challenge=1158201444', undefined],
  ['hub.mode=subscribe&hub.challenge=%3Cb%3E', undefined],
  [`hub.mode=subscribe&hub.challenge=${'1'.repeat(201)}`, undefined],
  ['hub.mode=subscribe', undefined],
  ['', undefined],
])('the query %p has the challenge %p', (query, challenge) => {
  expect(challengeIn(query)).toBe(challenge);
});
