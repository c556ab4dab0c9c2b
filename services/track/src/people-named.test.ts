/** Dead letters are searched for the people that the table of operations finds in a body: they must be the people of the rules. */
import { operationById, peopleNamed } from '@roster/contract';
import { entryKinds, keysNamed } from '@roster/profile';
import { acceptedExamples } from '@roster/testkit';
import { createContested } from './contested.ts';
import { prepared } from './operations.ts';

const examples = acceptedExamples('track');

it('the lists of a request are the entry kinds of the rules', () => {
  const { people } = operationById('users.track') ?? {};
  expect(Object.keys(people?.lists ?? {})).toEqual(entryKinds);
});

it.each(examples)('$op: $title', ({ op, request }) => {
  const { attributes, events, purchases } = prepared(request);
  const meant = [...attributes, ...events, ...purchases].flatMap(({ identifier, key }) =>
    identifier.by === 'tokens' ? [] : [key],
  );
  expect(meant.length).toBeGreaterThan(0);
  expect(keysNamed('demo', peopleNamed(op, request.body))).toEqual(meant);
});

it.each(examples)('$op: $title: the people that it changes can be contested', ({ request }) => {
  const contested = createContested();
  contested.note([request]);
  expect(contested.has(request)).toBe(prepared(request).attributes.length > 0);
});
