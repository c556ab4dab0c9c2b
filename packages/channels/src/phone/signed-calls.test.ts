import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { checkCall, howSigned, type SignedCall } from './signed-calls.ts';

const twilio = (more: object = {}): string =>
  JSON.stringify({ preset: 'twilio', account: 'AC0123', token: '12345', from: '+15550100', ...more });

const call = (more: Partial<SignedCall>, headers: Readonly<Record<string, string>> = {}): SignedCall => ({
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
  body: '',
  now: 1719823259_000,
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

/** As the documentation of each says; `of`: what the provider adds to a call. */
describe('a call of', () => {
  const body = '{"from":"+15550101","text":"STOP"}';
  const url = 'https://pages.example.com/phone/x';
  const hash = createHash('sha256').update(body);
  const [bytes, hex] = [hash.copy().digest(), hash.copy().digest('hex')];
  const hmac = (text: string | Buffer, digest = 'sha256') => createHmac(digest, 'secret').update(text);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (claims: object, alg = 'HS256', digest = 'sha256'): string => {
    const text = `${encoded({ typ: 'JWT', alg })}.${encoded(claims)}`;
    return `${text}.${hmac(text, digest).digest('base64url')}`;
  };
  const iat = 1719823259;
  const vonage = { by: 'jwt', secret: 'secret', header: 'Authorization', prefix: 'Bearer ' };
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

  const sinch = {
    by: 'body',
    secret: 'secret',
    header: 'x-sinch-webhook-signature',
    encoding: 'base64',
    over: '{body}.{header:X-Sinch-Webhook-Signature-Nonce}.{header:x-sinch-webhook-signature-timestamp}',
  };
  const telnyx = {
    by: 'ed25519',
    key,
    header: 'telnyx-signature-ed25519',
    over: '{header:telnyx-timestamp}|{body}',
  };
  const bird = {
    by: 'body',
    secret: 'secret',
    header: 'messagebird-signature',
    encoding: 'base64',
    over: '{header:messagebird-request-timestamp}\n{url}\n{sha256}',
  };
  const cases: Record<string, { signature: object; headers: Record<string, string> }> = {
    Vonage: { signature: vonage, headers: bearer(token({ iat, iss: 'Vonage', payload_hash: hex })) },
    MessageBird: {
      signature: { by: 'jwt', secret: 'secret', header: 'MessageBird-Signature-JWT' },
      headers: { 'messagebird-signature-jwt': token({ iat, payload_hash: hex }, 'HS512', 'sha512') },
    },
    Sinch: {
      signature: sinch,
      headers: {
        'x-sinch-webhook-signature-nonce': '01FJ',
        'x-sinch-webhook-signature-timestamp': '1719823259',
        'x-sinch-webhook-signature': hmac(`${body}.01FJ.1719823259`).digest('base64'),
      },
    },
    Telnyx: {
      signature: telnyx,
      headers: {
        'telnyx-timestamp': '1719823259',
        'telnyx-signature-ed25519': sign(null, Buffer.from(`1719823259|${body}`), privateKey).toString(
          'base64',
        ),
      },
    },
    Bird: {
      signature: bird,
      headers: {
        'messagebird-request-timestamp': '1719823259',
        'messagebird-signature': hmac(Buffer.concat([Buffer.from(`1719823259\n${url}\n`), bytes])).digest(
          'base64',
        ),
      },
    },
  };
  const checked = (signature: object, headers: Record<string, string>, more: Partial<SignedCall> = {}) =>
    checkCall(
      JSON.stringify({ url: 'https://sms.example.com', json: {}, signature }),
      call({ contentType: 'application/json', url, body, ...more }, headers),
    );

  it.each(Object.entries(cases))(
    '%s is signed by what its documentation says',
    (_, { signature, headers }) => {
      expect(checked(signature, headers)).toBe('signed');
      expect(checked(signature, headers, { body: body.replace('STOP', 'START') })).toBe('wrong');
      for (const name of Object.keys(headers)) {
        expect(checked(signature, { ...headers, [name]: `x${headers[name]?.slice(1)}` })).toBe('wrong');
        expect(checked(signature, { ...headers, [name]: '' })).toBe('wrong');
      }
    },
  );

  it.each<[string, string]>([
    ['names no digest of a body', token({ iss: 'Vonage' })],
    ['has no signature', `${encoded({ alg: 'none' })}.${encoded({ payload_hash: hex })}.`],
    ['is signed in another way than it says', token({ payload_hash: hex }, 'HS256', 'sha512')],
    ['names an algorithm of an object', token({ payload_hash: hex }, 'constructor')],
    ['has four parts', `${token({ payload_hash: hex })}.x`],
    ['is none', 'x'],
  ])('Vonage whose token %s is not', (_, text) => {
    expect(checked(vonage, bearer(text))).toBe('wrong');
  });

  it.each(Object.entries(cases))(
    '%s that was overheard is not believed a day later',
    (_, { signature, headers }) => {
      const day = 24 * 3_600_000;
      expect(checked(signature, headers, { now: iat * 1000 + day })).toBe('signed');
      expect(checked(signature, headers, { now: iat * 1000 + day + 1 })).toBe('wrong');
    },
  );

  it.each([
    [String(iat * 1000), 'wrong'],
    [new Date(iat * 1000).toISOString(), 'wrong'],
    ['at noon', 'signed'],
  ])('a provider may write its time as %s', (time, check) => {
    const headers = {
      'x-time': time,
      'x-timestamp': time,
      'x-signature': hmac(`${time}${body}`).digest('hex'),
    };
    const signature = {
      by: 'body',
      secret: 'secret',
      header: 'X-Signature',
      over: '{header:X-Timestamp}{body}',
    };
    expect(checked(signature, headers, { now: (iat + 86_401) * 1000 })).toBe(check);
  });

  it('Bird can not be checked at an address that does not say where it is', () => {
    expect(checked(bird, cases.Bird?.headers ?? {}, { url: undefined })).toBe('unsigned');
  });

  it.each<[string, object]>([
    ['a key that is none', { ...telnyx, key: 'AAAA' }],
    ['nothing of the call under its signature', { ...sinch, over: '{header:x-nonce}' }],
  ])('a provider with %s is refused where it is written', (_, signature) => {
    expect(() => checked(signature, {})).toThrow(
      'the member signature of the provider is not as it should be',
    );
  });
});
