import { operations } from '@roster/contract';
import { lineFor, resultOf } from './operations.ts';
import { mergeRequest } from './testbed.ts';

const rows = operations.filter(({ queue }) => queue === 'identity');

it.each(rows.map(({ id, answer }) => [id, answer]))('%s is answered with a %s', (op, answer) => {
  const { result } = lineFor({ op });
  expect(result === 'receipt' ? 'receipt' : 'result').toBe(answer);
});

it('an operation that is answered with a receipt has no result', () => {
  const applied = { state: 'applied' as const, entries: {}, notes: [] };
  expect(() => resultOf(mergeRequest(['a', 'b']), applied)).toThrow('users.merge is answered with a receipt');
});
