import { operations } from '@roster/contract';
import { lineFor, resultOf } from './operations.ts';
import { request } from './testbed.ts';

const rows = operations.filter(({ queue }) => queue === 'identity');

it.each(rows.map(({ id, answer }) => [id, answer]))('%s is answered with a %s', (op, answer) => {
  const { result } = lineFor({ op });
  expect(result === 'receipt' ? 'receipt' : 'result').toBe(answer);
});

it('an operation that is answered with a receipt has no result', () => {
  const sides = { identifier_to_merge: { external_id: 'a' }, identifier_to_keep: { external_id: 'b' } };
  const merge = request('users.merge', { merge_updates: [sides] });
  expect(() => resultOf(merge, { state: 'applied', entries: {}, notes: [] })).toThrow(
    'users.merge is answered with a receipt',
  );
});
