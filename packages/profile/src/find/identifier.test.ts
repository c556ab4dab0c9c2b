import fc from 'fast-check';
import {
  type Identifier,
  identifierOf,
  identityKey,
  keyParts,
  type NamedByEntry,
  tokenIdentity,
} from './identifier.ts';

describe('the identifier of an entry', () => {
  const rows: [string, NamedByEntry, Identifier | undefined][] = [
    ['external id', { external_id: 'ada', email: 'a@b.co' }, { by: 'external_id', id: 'ada' }],
    [
      'alias',
      { user_alias: { alias_label: 'crm', alias_name: '7' }, phone: '+15005550006' },
      { by: 'user_alias', label: 'crm', name: '7' },
    ],
    ['service id', { service_id: '00ff' }, { by: 'service_id', id: '00ff' }],
    ['email before phone', { email: 'a@b.co', phone: '+15005550006' }, { by: 'email', email: 'a@b.co' }],
    [
      'phone when the email is null',
      { email: null, phone: '+15005550006' },
      { by: 'phone', phone: '+15005550006' },
    ],
    ['nothing', {}, undefined],
  ];
  it.each(rows)('is the %s', (_, entry, identifier) => {
    expect(identifierOf(entry)).toEqual(identifier);
  });
});

describe('the key of an identifier', () => {
  const parts = fc.stringMatching(/^[a:\d ]{1,6}$/);
  const identifiers: fc.Arbitrary<Identifier> = fc.oneof(
    parts.map((id): Identifier => ({ by: 'external_id', id })),
    fc.tuple(parts, parts).map(([label, name]): Identifier => ({ by: 'user_alias', label, name })),
    parts.map((id): Identifier => ({ by: 'service_id', id })),
    parts.map((phone): Identifier => ({ by: 'phone', phone })),
  );
  const workspaces = fc.constantFrom('demo', 'demo-e', 'a');

  it('is never the same for two', () => {
    fc.assert(
      fc.property(workspaces, identifiers, workspaces, identifiers, (ws1, one, ws2, other) => {
        const same = ws1 === ws2 && JSON.stringify(one) === JSON.stringify(other);
        expect(identityKey(ws1, one) === identityKey(ws2, other)).toBe(same);
      }),
      { numRuns: 5000 },
    );
  });

  it('has the parts from which it was built', () => {
    fc.assert(
      fc.property(workspaces, identifiers, (ws, identifier) => {
        const { by } = identifier;
        const parts = keyParts(identityKey(ws, identifier));
        expect(parts).toMatchObject({ ws, by });
        const value = Object.values({ ...identifier, by: undefined }).at(-1);
        expect(parts?.value.endsWith(`${value}`)).toBe(true);
      }),
    );
  });

  it.each([
    [identityKey('demo', { by: 'email', email: 'a:b@c.co' }), 'email', 'a:b@c.co'],
    [identityKey('demo', { by: 'user_alias', label: 'x:', name: ':y' }), 'user_alias', '2:x:::y'],
    [tokenIdentity('demo', '3:app:t:1'), 'push_token', '3:app:t:1'],
  ])('of %s has a kind and a value', (key, by, value) => {
    expect(keyParts(key)).toEqual({ ws: 'demo', by, value });
  });

  it.each(['', 'demo', 'demo:', 'demo:m', 'demo:mail:a', 'demo:x:a', '#m:a', '#a1b2'])('is not %p', (text) =>
    expect(keyParts(text)).toBeUndefined(),
  );

  it('compares emails lower-cased and trimmed', () => {
    expect(identityKey('demo', { by: 'email', email: ' Ada@B.co ' })).toBe(
      identityKey('demo', { by: 'email', email: 'ada@b.co' }),
    );
  });
});
