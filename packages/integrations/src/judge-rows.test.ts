import type { DataKind, JudgeSettings } from '@roster/contract';
import type { Entry } from './entry.ts';
import { createJudgeRows } from './judge-rows.ts';

const settings: JudgeSettings = {
  maxUpdates: 1,
  blockedExternalIds: new Set(['blocked']),
  suspiciousExternalIds: new Set(['null']),
  groups: new Map([['news', 'email']]),
  apps: new Set(),
  appNames: new Map(),
  tags: new Set(),
};

const judgeRows = createJudgeRows();

const judge = (data: DataKind, entries: Entry[]) => {
  const { accepted, refused, request } = judgeRows({ data, by: 'external_id', entries }, settings);
  const body = request && JSON.parse(request.body.toString());
  return { accepted, refused: refused.map(({ place }) => place), op: request?.op, body };
};

const person = (external_id: string, more: Entry = {}): Entry => ({ external_id, ...more });

it('takes what is refused out of a list, beyond the updates that a caller may send at once', () => {
  const entries = [person('a', { plan: 'gold' }), person('blocked'), person('b', { country: 'DE' })];
  expect(judge('attributes', entries)).toEqual({
    accepted: [0, 2],
    refused: [1],
    op: 'users.track.bulk',
    body: { attributes: [entries[0], entries[2]] },
  });
});

it('makes no request when nothing is left', () => {
  expect(judge('events', [person('a'), person('b', { name: '' })])).toEqual({
    accepted: [],
    refused: [0, 1],
    op: undefined,
    body: undefined,
  });
});

it('looks at the depth of each entry', () => {
  let deep: Entry = {};
  for (let level = 0; level < 60; level += 1) deep = { deep };
  expect(judge('attributes', [person('a', { deep }), person('b', { n: 1 })]).refused).toEqual([0]);
});

it('keeps long numbers', () => {
  const { request } = judgeRows(
    { data: 'attributes', by: 'external_id', entries: [person('a', { n: 9007199254740993n })] },
    settings,
  );
  expect(request?.exact).toBe(true);
  expect(request?.body.toString()).toContain('9007199254740993');
});

it('names the people of deletes', () => {
  expect(judge('deletes', [person('a'), person('b')]).body).toEqual({
    external_ids: [{ external_id: 'a' }, { external_id: 'b' }],
  });
});

it('judges subscription states one by one, so that a wrong one does not refuse all', () => {
  const state = (id: string, group: string) =>
    person(id, { subscription_group_id: group, subscription_state: 'subscribed' });
  const judged = judge('subscription_states', [
    state('a', 'news'),
    state('b', 'nowhere'),
    state('c', 'news'),
  ]);
  expect(judged).toMatchObject({ accepted: [0, 2], refused: [1], op: 'subscription.status.set.v2' });
  expect(judged.body.subscription_groups).toHaveLength(2);
});
