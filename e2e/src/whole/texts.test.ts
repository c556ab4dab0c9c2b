/** Text messages from the caller to a provider, and its reports and the answers of people back. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPhoneUrls } from '@roster/channels';
import { testSecret as secret, textOf, until, usePeer } from '@roster/testkit';
import request from 'supertest';
import { useWhole, useWorkspace } from '../shared.ts';
import { withChannels } from '../system.ts';

const whole = useWhole();

const got: URLSearchParams[] = [];
const whatsAppGot: Record<string, unknown>[] = [];
const provider = usePeer(async (asked, response) => {
  const text = await textOf(asked);
  if (asked.headers['content-type'] === 'application/json') whatsAppGot.push(JSON.parse(text));
  else got.push(new URLSearchParams(text));
  response.writeHead(201).end(JSON.stringify({ sid: `SM${got.length}` }));
});

const system = useWorkspace('texts', (usual) => {
  const url = `${provider.url}/`;
  const credentials = {
    preset: 'twilio',
    account: 'AC1',
    token: 't',
    from: '+15550100',
    help: 'Ask us.',
    url,
  };
  const whatsApp = {
    preset: 'whatsapp',
    phone_number_id: '106',
    token: 't',
    app_secret: 'app secret',
    url,
  };
  writeFileSync(join(whole.credentials, 'e2e-sms'), JSON.stringify(credentials));
  writeFileSync(join(whole.credentials, 'e2e-whatsapp'), JSON.stringify(whatsApp));
  return withChannels(usual, {
    sms: { provider: { file: 'e2e-sms' } },
    whats_app: { provider: { file: 'e2e-whatsapp' } },
  });
});

const phone = '+15005550006';
const group = 'demo-texts';
const says = (subscription_state: string) => ({ subscription_group_id: group, subscription_state });

const to = { app_id: 'demo-app', subscription_group_id: group };

const send = async (messages: object = { sms: { ...to, body: 'The sale begins.' } }) => {
  const { body } = await system.insist((caller) =>
    caller.post('/messages/send').send({ external_user_ids: ['ada'], messages }),
  );
  return String(body.dispatch_id);
};

/** Of the one recipient, once it is over. */
const endOf = (dispatch: string, wanted = /^(sent|skipped|refused)/) =>
  until(async () => {
    const { body } = await system.caller.get(`/sends/${dispatch}`);
    const [row] = (body.recipients ?? []) as { state: string; reason?: string }[];
    const end = row && `${row.state}${row.reason === undefined ? '' : `: ${row.reason}`}`;
    return end !== undefined && wanted.test(end) && end;
  });

const unsigned = (url: string, fields: Record<string, string>) =>
  request(url).post('').type('form').send(fields);

/** As Twilio calls: https://www.twilio.com/docs/usage/security#validating-requests */
const post = (url: string, fields: Record<string, string>) => {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signature = createHmac('sha1', 't')
    .update([url, ...sorted].flat().join(''))
    .digest('base64');
  return unsigned(url, fields).set('X-Twilio-Signature', signature);
};

/** As Meta calls. */
const postJson = (url: string, value: object) => {
  const body = JSON.stringify(value);
  const signature = createHmac('sha256', 'app secret').update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
  return request(url).post('').set(headers).send(body);
};

/** Of the last message that was sent. */
const reportUrl = (): string =>
  got.findLast((fields) => fields.has('StatusCallback'))?.get('StatusCallback') ?? '';

/** As `roster channel address` tells it. */
const addressOf = (channel: 'sms' | 'whats_app') =>
  createPhoneUrls(secret).url(new URL(reportUrl()).origin, { ws: system.ws, app: 'demo-app', channel });

const answer = (Body: string, MessageSid: string, From = phone) =>
  post(addressOf('sms'), { From, Body, MessageSid });

it('a text message goes to who subscribed to its group, and what the provider reports becomes its state', async () => {
  await system.track({
    attributes: [{ external_id: 'ada', phone, subscription_groups: [says('subscribed')] }],
  });
  const dispatch = await send();
  expect(await endOf(dispatch)).toBe('sent');
  expect(Object.fromEntries(got[0] ?? [])).toEqual({
    To: phone,
    From: '+15550100',
    Body: 'The sale begins.',
    StatusCallback: expect.stringContaining('/phone/'),
  });
  await unsigned(reportUrl(), { MessageStatus: 'undelivered' }).expect(403);
  await post(reportUrl(), { MessageStatus: 'undelivered', ErrorCode: '30003' }).expect(200);
  expect(await endOf(dispatch, /^refused/)).toBe('refused: not_delivered (30003)');
  await post(`${reportUrl().slice(0, -3)}abc`, { MessageStatus: 'delivered' }).expect(404);
});

it('STOP leaves the group, START comes back to it, and HELP is answered', async () => {
  await unsigned(addressOf('sms'), { From: phone, Body: 'Stop', MessageSid: 'A0' }).expect(403);
  await answer('Stop', 'A1').expect(200);
  expect(await endOf(await send())).toBe('skipped: unsubscribed');
  await answer('START', 'A2').expect(200);
  expect(await endOf(await send())).toBe('sent');
  // Told once more, it is not applied again.
  await answer('Stop', 'A1').expect(200);
  expect(await endOf(await send())).toBe('sent');
  const before = got.length;
  await answer('help', 'A3').expect(200);
  expect(got.slice(before).map((fields) => [fields.get('To'), fields.get('Body')])).toEqual([
    [phone, 'Ask us.'],
  ]);
});

it('WhatsApp agrees on an address, and tells there what became of a message, and what people answer', async () => {
  const url = addressOf('whats_app');
  await request(url)
    .get('?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=any')
    .expect(200, '1158201444');

  const dispatch = await send({
    whats_app: { ...to, message_type: 'text', message: { body: 'The sale begins.' } },
  });
  expect(await endOf(dispatch)).toBe('sent');
  const [message = {}] = whatsAppGot;
  expect(message).toMatchObject({ type: 'text', text: { body: 'The sale begins.' } });
  const tell = (value: object) => postJson(url, { entry: [{ changes: [{ value }] }] });
  const forged = { messages: [{ from: phone.slice(1), id: 'W0', text: { body: 'STOP' } }] };
  await request(url)
    .post('')
    .send({ entry: [{ changes: [{ value: forged }] }] })
    .expect(403);
  const { biz_opaque_callback_data } = message;
  const failed = { status: 'failed', biz_opaque_callback_data, errors: [{ title: 'not on WhatsApp' }] };
  await tell({ statuses: [failed] }).expect(200);
  expect(await endOf(dispatch, /^refused/)).toBe('refused: not_delivered');
  await tell({ messages: [{ from: phone.slice(1), id: 'W1', text: { body: 'STOP' } }] }).expect(200);
  expect(await endOf(await send())).toBe('skipped: unsubscribed');
});

it('START subscribes nobody who has not left', async () => {
  await system.track({
    attributes: [
      { external_id: 'ada', phone: null },
      { external_id: 'bob', phone: '+15005550007' },
    ],
  });
  await answer('START', 'B1', '+15005550007').expect(200);
  const asked = `/subscription/status/get?subscription_group_id=${group}&external_id=bob`;
  const { body } = await system.caller.get(asked);
  expect(body.status).toEqual({ bob: 'unknown' });
});
