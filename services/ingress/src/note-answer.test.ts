import { type Operation, operations } from '@roster/contract';
import type { SecurityEvent } from '@roster/runtime';
import { noteAnswer } from './note-answer.ts';

const operation = (id: string): Operation => {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

const noted = (id: string, status: number, passage: object = {}): SecurityEvent[] => {
  const events: SecurityEvent[] = [];
  noteAnswer(operation(id), { note: (event) => void events.push(event) }, status, '192.0.2.7', {
    entries: 0,
    ws: 'shop',
    by: 'k1',
    price: 1,
    releases: [],
    ...passage,
  });
  return events;
};

describe('a security event', () => {
  it.each([
    ['users.track', 201],
    ['users.track', 400],
    ['users.track', 429],
    ['users.delete', 503],
    ['users.export.ids', 404],
  ])('is not %s with %d', (id, status) => expect(noted(id, status)).toEqual([]));

  it('is a deletion and an export, by the id of the key', () => {
    expect(noted('users.delete', 202)).toEqual([
      { event: 'people.deleted', by: 'key:k1', ws: 'shop', op: 'users.delete' },
    ]);
    expect(noted('users.export.ids', 200)).toMatchObject([{ event: 'people.exported', by: 'key:k1' }]);
  });

  it('is a refusal, by the id of a real key and its reason', () => {
    expect(noted('users.track', 403, { refusal: 'ip' })).toEqual([
      {
        event: 'key.forbidden',
        by: 'key:k1',
        ws: 'shop',
        op: 'users.track',
        reason: 'ip',
        from: '192.0.2.0/24',
      },
    ]);
    expect(
      noted('scim.users.list', 401, { by: 't1', ws: 'company:acme', refusal: 'not usable' }),
    ).toMatchObject([{ event: 'key.refused', by: 'scim:t1', reason: 'not usable' }]);
  });

  it('is a refusal of an unknown caller when the key is invented', () => {
    expect(noted('users.track', 401, { by: undefined, ws: undefined })).toEqual([
      { event: 'key.refused', op: 'users.track', reason: 'unknown', from: '192.0.2.0/24' },
    ]);
  });
});
