/** Dead letters are searched for the people whom the table of operations says a body names: they must be those whom the rules are about. */
import { createJudge, type JudgeSettings, operationById, operations, peopleNamed } from '@roster/contract';
import { entryKinds, identifierOf, identityKey } from '@roster/profile';
import { prepared } from './batch.ts';
import { createContested } from './contested.ts';

const judge = createJudge();
const settings: JudgeSettings = {
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map([['demo-news', 'email']]),
  apps: new Set(['demo-app']),
};

const accepted = operations
  .filter(({ queue }) => queue === 'track')
  .flatMap((operation) =>
    operation.examples.flatMap(({ title, request }) => {
      const verdict = judge(operation, request, settings);
      const { id: op } = operation;
      return verdict.ok
        ? [{ op, title, request: { id: 'r1-x', ws: 'demo', op, at: 1, body: verdict.accepted.body } }]
        : [];
    }),
  );

it('the lists of a request are the kinds of entries that the rules know', () => {
  const { people } = operationById('users.track') ?? {};
  expect(Object.keys(people?.lists ?? {})).toEqual(entryKinds);
});

it.each(accepted)('$op: $title', ({ op, request }) => {
  const { attributes, events, purchases } = prepared(request);
  const meant = [...attributes, ...events, ...purchases].flatMap(({ identifier, key }) =>
    identifier.by === 'tokens' ? [] : [key],
  );
  const named = peopleNamed(op, request.body).flatMap((one) => {
    const identifier = identifierOf(one);
    return identifier ? [identityKey('demo', identifier)] : [];
  });
  expect(meant.length).toBeGreaterThan(0);
  expect(named).toEqual(meant);
});

it.each(accepted)('$op: $title: those whom it changes are contested', ({ request }) => {
  const contested = createContested();
  contested.note([request]);
  expect(contested.has(request)).toBe(prepared(request).attributes.length > 0);
});
