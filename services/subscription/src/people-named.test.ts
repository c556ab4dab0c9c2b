/** Dead letters are searched for the people that the table of operations finds in a body: they must be the people of the statements. */
import { peopleNamed } from '@roster/contract';
import { keysNamed, statementKey } from '@roster/profile';
import { acceptedExamples } from '@roster/testkit';
import { subscriptionRequest } from './operations.ts';

it.each(acceptedExamples('subscription'))('$op: $title', ({ op, request }) => {
  const { statements } = subscriptionRequest(request, () => 'email');
  const meant = statements.map((one) => statementKey('demo', one));
  expect(meant.length).toBeGreaterThan(0);
  expect(keysNamed('demo', peopleNamed(op, request.body))).toEqual(meant);
});
