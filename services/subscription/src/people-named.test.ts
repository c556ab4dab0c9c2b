/** Dead letters are searched for the people whom the table of operations says a body names: they must be those whom the statements are about. */
import { createJudge, type JudgeSettings, operations, peopleNamed } from '@roster/contract';
import { addressKeyOf, identifierOf, identityKey, personKeyOf } from '@roster/profile';
import { subscriptionRequest } from './requests.ts';

const judge = createJudge();
const settings: JudgeSettings = {
  maxUpdates: 50,
  blockedExternalIds: new Set(),
  suspiciousExternalIds: new Set(),
  groups: new Map([['demo-news', 'email']]),
  apps: new Set(),
};

const accepted = operations
  .filter(({ queue }) => queue === 'subscription')
  .flatMap((operation) =>
    operation.examples.flatMap(({ title, request }) => {
      const verdict = judge(operation, request, settings);
      const { id: op } = operation;
      return verdict.ok
        ? [{ op, title, request: { id: 'r1-x', ws: 'demo', op, at: 1, body: verdict.accepted.body } }]
        : [];
    }),
  );

it.each(accepted)('$op: $title', ({ op, request }) => {
  const { statements } = subscriptionRequest(request, () => 'email');
  const meant = statements.map((one) => personKeyOf('demo', one) ?? addressKeyOf('demo', one));
  const named = peopleNamed(op, request.body).flatMap((one) => {
    const identifier = identifierOf(one);
    return identifier ? [identityKey('demo', identifier)] : [];
  });
  expect(meant.length).toBeGreaterThan(0);
  expect(named).toEqual(meant);
});
