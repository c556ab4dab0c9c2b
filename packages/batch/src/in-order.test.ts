import type { AcceptedRequest } from '@roster/contract';
import { inOrder } from './apply.ts';

const request = (id: string, at: number): AcceptedRequest => ({ id, at, ws: 'demo', op: 'users.track' });

it('a batch has each request once, in the order of the stamps', () => {
  const [a, b, c] = [request('a', 1), request('b', 2), request('c', 3)];
  expect(inOrder([c, a, b, a, c])).toEqual([a, b, c]);
});
