/** Whole numbers that a double does not hold, in what providers get and say. */
import { appleKey } from '@roster/testkit';
import { appleIn, liveIn } from './apple/apple-message.ts';
import { sendApple } from './apple/send-apple.ts';
import { droidIn } from './droid/send-droid.ts';
import { createKept } from './kept.ts';
import { createPauses } from './pauses.ts';
import { phoneAnswersIn, reportsIn } from './phone/calls.ts';
import { idIn, providerIn, requestOf } from './phone/provider.ts';
import { createProofs } from './proofs.ts';

const id = 2n ** 53n + 1n;
const ids = [id, -(2n ** 63n)];
const digits = '[9007199254740993,-9223372036854775808]';
const outgoing = (content: object) => ({ id: 'r1', to: 'ab'.repeat(32), content: { ...content } });

it.each([
  ['a push', appleIn(outgoing({ alert: 'x', extra: { ids } })), `"ids":${digits}`],
  [
    'a live activity',
    liveIn(outgoing({ content_state: { ids }, activity_attributes: { ids } })),
    `"attributes":{"ids":${digits}},"content-state":{"ids":${digits}}`,
  ],
])('APNs gets them digit by digit: %s', async (_what, notification, wanted) => {
  const bodies: string[] = [];
  const sessions = {
    async request(_name: string, _url: string, { body }: { body: string }) {
      bodies.push(body);
      return { status: 200, headers: {}, text: '' };
    },
    close() {},
  };
  const tools = {
    tokens: createKept<string>(),
    keyPauses: createPauses(),
    devicePauses: createPauses(),
  };
  const answer = await sendApple({ to: 'ab'.repeat(32) }, notification, appleKey, {
    ...tools,
    sessions,
    proofs: createProofs(),
  });
  expect(answer).toEqual({ state: 'sent' });
  expect(bodies).toEqual([expect.stringContaining(wanted)]);
});

it('FCM gets them as texts with their digits; a color is their last 24 bits', () => {
  const content = { notification_id: id, accent_color: 2n ** 60n + 0x336699n, conversation_data: { at: id } };
  expect(droidIn(outgoing(content))).toMatchObject({
    message: {
      data: { roster_conversation: '{"at":9007199254740993}' },
      android: { notification: { tag: '9007199254740993', color: '#336699' } },
    },
  });
});

describe('a provider of text messages', () => {
  const message = { amount: id, ids };

  it('gets them as JSON, also those of its own request', () => {
    const provider = providerIn(
      '{"url":"https://example.com/","json":{"message":"{message}","own":9007199254740993}}',
    );
    expect(requestOf(provider, outgoing({ message })).body).toBe(
      `{"message":{"amount":9007199254740993,"ids":${digits}},"own":9007199254740993}`,
    );
  });

  it('gets them in a form', () => {
    const provider = providerIn('{"url":"https://example.com/","form":{"message":"{message}"}}');
    const { body } = requestOf(provider, outgoing({ message }));
    expect(new URLSearchParams(body).get('message')).toBe(`{"amount":9007199254740993,"ids":${digits}}`);
  });

  // Two of them rounded alike are one: a second STOP would be taken for the first one, told again.
  it('may count its messages and answers with them', () => {
    const text = JSON.stringify({
      ...{ url: 'https://example.com/', json: {}, id: 'id' },
      report: { message: 'id', state: 'is', delivered: ['ok'], failed: [] },
      answer: { from: 'from', text: 'text', id: 'id' },
    });
    const body = '{"id":9007199254740993,"is":"ok","from":"+15550101","text":"STOP"}';
    const call = { contentType: 'application/json', body };
    expect(idIn(providerIn(text), body)).toBe('9007199254740993');
    expect(reportsIn(text, call)).toEqual([{ state: 'sent', message: '9007199254740993' }]);
    expect(phoneAnswersIn(text, call)).toMatchObject([{ id: '9007199254740993' }]);
  });
});
