import { isSendable, mostBytes, wireOf } from './genome.ts';

const place = { method: 'GET', path: '/users/{id}', bodyLimit: 100 };

describe('a genome', () => {
  it('becomes a path with its parameters and a query, a list as its parameter several times', () => {
    const query = { names: { list: { text: 'p{i}' }, count: 2 }, limit: { raw: '5' } };
    const wire = wireOf({ params: { id: 'a/{n}' }, query }, place, { n: '1' });
    expect(wire.path).toBe('/users/a%2F1?names=p0&names=p1&limit=5');
  });

  it('fills in tokens of headers and body', () => {
    const wire = wireOf({ headers: { 'idempotency-key': '{t}' }, body: { text: '{n}' } }, place, {
      n: 'N',
      t: 'T',
    });
    expect(wire.headers).toEqual({ 'idempotency-key': 'T' });
    expect(String(wire.body)).toBe('"N"');
  });

  it('is shown to the server by the caller that the operation asks for', () => {
    expect(wireOf({}, place, {}).auth).toBe('key');
    expect(wireOf({}, { ...place, auth: 'scim' }, {}).auth).toBe('scim');
  });

  it('is a form where a stranger sends it', () => {
    const form = { ...place, auth: 'nobody' };
    const wire = wireOf({ parts: { form: { text: 'a=1' } }, body: { part: 'form' } }, form, {});
    expect([wire.auth, String(wire.body)]).toEqual(['nobody', 'a=1']);
  });

  it('is not sent when it is larger than any limit', () => {
    expect(isSendable({ operation: 'x', body: { text: 'x', times: mostBytes + 1 } })).toBe(false);
    expect(isSendable({ operation: 'x', senders: 151 })).toBe(false);
    const step = { operation: 'x', times: 100, body: { text: 'x', times: 1_000_000 } };
    expect(isSendable({ operation: 'x', before: [step] })).toBe(false);
    expect(isSendable({ operation: 'x', before: [{ ...step, times: 10 }] })).toBe(true);
  });
});
