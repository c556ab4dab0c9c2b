/** The ingress marks the people that a request names: they must be the people of its rules. */
import { isJsonObject, type OperationId, operations, peopleNamed } from '@roster/contract';
import { identityKeysIn, keysNamed } from '@roster/profile';
import { identityRequest } from './operations.ts';
import { request } from './testbed.ts';

const rows = operations.filter(({ queue }) => queue === 'identity');

const bodies: [OperationId, unknown][] = [
  ...rows.flatMap(({ id, examples }) =>
    examples
      .filter(({ response: { status, body } }) => status < 300 && !(isJsonObject(body) && 'errors' in body))
      .map(({ request: { body } }): [OperationId, unknown] => [id, body]),
  ),
  ['users.delete', { service_ids: ['s1'] }],
  ['users.delete', { user_aliases: [{ alias_label: 'crm', alias_name: 'x' }, {}] }],
  ['users.delete', { email_addresses: [{ email: 'A@b.co', prioritization: [] }] }],
  ['users.delete', { phone_numbers: [{ phone: '(415) 555-2671', prioritization: [] }] }],
  [
    'users.merge',
    {
      merge_updates: [
        {
          identifier_to_merge: { email: 'a@b.co', prioritization: ['identified'] },
          identifier_to_keep: { user_alias: { alias_label: 'crm', alias_name: 'x' } },
        },
        {
          identifier_to_merge: { phone: '+14155552671', prioritization: ['identified'] },
          identifier_to_keep: { external_id: 'ada' },
        },
      ],
    },
  ],
  [
    'users.identify',
    {
      aliases_to_identify: [{ external_id: 'a', user_alias: { alias_label: 'crm', alias_name: 'x' } }],
      emails_to_identify: [{ external_id: 'b', email: 'a@b.co', prioritization: ['identified'] }],
      phone_numbers_to_identify: [{ external_id: 'c', phone: '4155552671', prioritization: ['identified'] }],
    },
  ],
];

it('every operation of the queue names its effect on people', () => {
  expect(rows.map(({ id, notice }) => [id, notice])).toEqual(
    rows.map(({ id }) => [id, id === 'users.delete' ? 'deleted' : 'named']),
  );
});

it.each(bodies)('%s names the people of its rules: %j', (op, body) => {
  const accepted = request(op, body);
  const { lists } = identityRequest(accepted);
  const meant = Object.values(lists)
    .flat()
    .flatMap((entry) => (typeof entry === 'string' ? [] : identityKeysIn('demo', entry)));
  const named = keysNamed('demo', peopleNamed(op, accepted.body));
  expect(meant.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set(meant));
});
