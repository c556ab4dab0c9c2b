import { createHash, createHmac } from 'node:crypto';
import { checkCall, howSigned, type SignedCall } from './signed-calls.ts';

const twilio = (more: object = {}): string =>
  JSON.stringify({ preset: 'twilio', account: 'AC0123', token: '12345', from: '+15550100', ...more });

const call = (more: Partial<SignedCall>, headers: Readonly<Record<string, string>> = {}): SignedCall => ({
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
  body: '',
  ...more,
  header: (name) => headers[name] ?? '',
});

describe('a call of Twilio', () => {
  /** The example of the tests of twilio-node. */
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const body = new URLSearchParams(fields).toString();
  const signed = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' };

  it('is signed over its address and its fields', () => {
    expect(checkCall(twilio(), call({ body }, signed))).toBe('signed');
  });

  it.each<[string, SignedCall]>([
    ['no signature', call({ body })],
    ['another signature', call({ body }, { 'x-twilio-signature': 'AAAADt4T1cUTdK1PDd93/VVr8B8=' })],
    ['another field', call({ body: body.replace('1234', '1235') }, signed)],
    ['one more field', call({ body: `${body}&Body=START` }, signed)],
    ['another address', call({ body, url: 'https://mycompany.com/myapp.php?foo=1&bar=3' }, signed)],
    ['no form', call({ body, contentType: 'text/plain' }, signed)],
  ])('with %s is not', (_, wrong) => {
    expect(checkCall(twilio(), wrong)).toBe('wrong');
  });

  it('of another account is not', () => {
    expect(checkCall(twilio({ token: '54321' }), call({ body }, signed))).toBe('wrong');
  });

  it('may be signed with the port of the address, or without it', () => {
    const url = 'https://mycompany.com:443/myapp.php?foo=1&bar=2';
    expect(checkCall(twilio(), call({ body, url }, signed))).toBe('signed');
    expect(checkCall(twilio(), call({ body, url: url.replace('443', '8443') }, signed))).toBe('signed');
  });

  it('at an address of an earlier version can not be checked', () => {
    expect(checkCall(twilio(), call({ body, url: undefined }, signed))).toBe('unsigned');
  });

  it('that is JSON has the digest of its body in its address', () => {
    const json = '{"property": "value", "boolean": true}';
    const digest = createHash('sha256').update(json).digest('hex');
    const url = `https://mycompany.com/myapp.php?foo=1&bar=2&bodySHA256=${digest}`;
    const headers = { 'x-twilio-signature': createHmac('sha1', '12345').update(url).digest('base64') };
    const told = { url, contentType: 'application/json', body: json };
    expect(checkCall(twilio(), call(told, headers))).toBe('signed');
    expect(checkCall(twilio(), call({ ...told, body: json.replace('true', 'false') }, headers))).toBe(
      'wrong',
    );
  });

  it('is believed without one where the credential says so', () => {
    expect(checkCall(twilio({ unsigned_calls: 'accept' }), call({ body }))).toBe('accepted');
    expect(() => howSigned(twilio({ unsigned_calls: 'yes' }))).toThrow(
      'the member unsigned_calls of the provider',
    );
  });
});

describe('a call of Meta', () => {
  const whatsapp = (more: object = {}): string =>
    JSON.stringify({ preset: 'whatsapp', phone_number_id: '1', token: 't', ...more });
  const json = (body: string, signature: string) =>
    call({ contentType: 'application/json', body }, { 'x-hub-signature-256': signature });
  /** HMAC-SHA-256 of `test` under `secret`, as libraries for WhatsApp document it. */
  const digest = '0329a06b62cd16b33eb6792be8c60b158d89a2ee3a876fce9a881ebb488c0914';

  it.each([
    ['test', `sha256=${digest}`, 'signed'],
    ['tesT', `sha256=${digest}`, 'wrong'],
    ['test', digest, 'wrong'],
    ['test', '', 'wrong'],
  ])('%j with the signature %j is %s', (body, signature, check) => {
    expect(checkCall(whatsapp({ app_secret: 'secret' }), json(body, signature))).toBe(check);
  });

  it('is unsigned as long as the credential has no app_secret', () => {
    expect(checkCall(whatsapp(), json('test', `sha256=${digest}`))).toBe('unsigned');
    expect(howSigned(whatsapp({ app_secret: 'secret' }))).toBe('signed');
    expect(howSigned(whatsapp({ unsigned_calls: 'accept' }))).toBe('accepted');
  });
});

it('another provider may sign the body in a header of its own', () => {
  const signature = { by: 'body', secret: 'secret', header: 'X-Signature', encoding: 'base64' };
  const provider = JSON.stringify({ url: 'https://sms.example.com', json: {}, signature });
  const given = createHmac('sha256', 'secret').update('{}').digest('base64');
  expect(checkCall(provider, call({ body: '{}' }, { 'x-signature': given }))).toBe('signed');
  expect(checkCall(provider, call({ body: '{ }' }, { 'x-signature': given }))).toBe('wrong');
});
