import { operations } from '@roster/contract';
import { handlers } from './handlers.ts';

it('there is a handler for every operation of the queue', () => {
  const ids = operations.filter(({ queue }) => queue === 'export').map(({ id }) => id);
  expect(Object.keys(handlers).toSorted()).toEqual(ids.toSorted());
});
