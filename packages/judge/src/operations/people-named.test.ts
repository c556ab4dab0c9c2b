import {
  erased,
  isJsonObject,
  type Json,
  type OperationId,
  operationOf,
  operations,
  placesNamed,
} from '@roster/contract';
import { createLateJudge } from '../judge.ts';
import { settings } from '../refused/refused.ts';

const judge = createLateJudge();

const acceptedOf = (op: OperationId, body: unknown): { [name: string]: Json | undefined } | undefined => {
  const verdict = judge(operationOf(op), { body }, settings);
  return verdict.ok && isJsonObject(verdict.accepted.body) ? verdict.accepted.body : undefined;
};

const rows = operations.filter(({ people }) => people);

const examples = rows.flatMap(({ id, examples }) =>
  examples.flatMap(({ title, request: { body } }) =>
    acceptedOf(id, body) ? [[id, title, body] as const] : [],
  ),
);

describe('a row in a queue with dead letters', () => {
  it('says where its bodies name people', () => {
    expect(rows.map(({ id }) => id)).toEqual(
      operations
        .filter(({ queue }) => ['track', 'identity', 'subscription'].includes(queue))
        .map(({ id }) => id),
    );
  });

  it.each(rows)(
    '$id: every list that is judged entry by entry is among these places',
    ({ entries = [], people }) => {
      expect(Object.keys(people?.lists ?? {})).toEqual(
        expect.arrayContaining(entries.map(({ array }) => array)),
      );
    },
  );
});

/** A text in a list of objects counts as the code of a refused entry. */
it.each(rows)('$id: lists of objects hold objects, by their schemas', ({ request, entries = [], people }) => {
  const lists = Object.entries(people?.lists ?? {}).filter(([, { of }]) => of === 'objects');
  for (const [name] of lists) {
    const isLifted = entries.some(({ array, lift }) => array === name && lift);
    const list: unknown = request.body?.properties[name];
    const { items } = list as { items: { type: unknown } };
    expect([name, isLifted ? 'object' : items.type]).toEqual([name, 'object']);
  }
});

describe('what is kept of a body without the people in it', () => {
  it.each(examples)('%s: %s: no person is left', (op, _title, body) => {
    const left = acceptedOf(op, structuredClone(body)) ?? {};
    const places = placesNamed(op, left);
    if (JSON.stringify(left.errors) === undefined) expect(places.length).toBeGreaterThan(0);
    for (const { erase } of places) erase(left);
    expect(placesNamed(op, left)).toEqual([]);
  });

  it('has the positions of all other entries', () => {
    const body = { external_ids: [{ external_id: 'ada' }, 'FIELD_INVALID', { external_id: 'bob' }] };
    placesNamed('users.delete', body)[0]?.erase(body);
    expect(body).toEqual({ external_ids: [erased, 'FIELD_INVALID', { external_id: 'bob' }] });
  });

  it('has nothing of a name that stands alone', () => {
    const group = { subscription_group_id: 'demo-news', subscription_state: 'subscribed' };
    const body = {
      subscription_groups: [
        { ...group, emails: ['a@b.co'] },
        { ...group, emails: ['c@d.co'] },
      ],
    };
    placesNamed('subscription.status.set.v2', body)[1]?.erase(body);
    expect(body.subscription_groups.map(({ emails }) => emails)).toEqual([['a@b.co'], []]);
  });

  it('has none of the emails that an identify does not use', () => {
    const body = { aliases_to_identify: [], email_addresses: ['a@b.co', 'c@d.co'] };
    const [first] = placesNamed('users.identify', body);
    expect(first?.named).toEqual([{ email: 'a@b.co' }]);
    first?.erase(body);
    expect(body.email_addresses).toEqual(['c@d.co']);
  });
});
