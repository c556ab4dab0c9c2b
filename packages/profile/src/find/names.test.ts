import { namesIn, namesOfSubject } from './names.ts';

const seenIn = (value: unknown, wanted: readonly string[] = []): string[] => {
  const seen = new Set<string>();
  namesIn(value, new Map(wanted.map((name) => [name, true])), (name) => seen.add(name));
  return [...seen];
};

const [ada, crm, email, phone] = [
  namesOfSubject({ by: 'external_id', id: 'Ada' }),
  namesOfSubject({ by: 'user_alias', label: 'crm', name: 'c-7' }),
  namesOfSubject({ by: 'email', email: 'ada@b.co' }),
  namesOfSubject({ by: 'phone', phone: '+14155550123' }),
];

describe('the names of an identifier', () => {
  it.each([
    ['external id', ada, { attributes: [{ external_id: 'Ada' }] }],
    ['alias', crm, { user_alias: { alias_label: 'crm', alias_name: 'c-7' } }],
    ['email, written in another way', email, [{ emails: { a: ' ADA@b.co ' } }]],
    ['phone, written in another way', phone, { phones: ['(415) 555-0123'] }],
    ['number', namesOfSubject({ by: 'external_id', id: '42' }), { external_id: 42 }],
  ])('are seen in a body with this %s', (_, names, body) => {
    expect(seenIn(body, names)).not.toEqual([]);
  });

  it('are not seen in a body about somebody else', () => {
    const body = {
      events: [{ external_id: 'bob', email: 'bob@b.co', phone: '+14155550199', n: 5, ok: true, none: null }],
    };
    const wanted = [ada, crm, email, phone].flatMap((names) => names ?? []);
    expect(seenIn(body, wanted)).toEqual([]);
  });

  it('are none where a request may name the person by another identifier', () => {
    expect(namesOfSubject({ by: 'service_id', id: 's-1' })).toBeUndefined();
  });
});
