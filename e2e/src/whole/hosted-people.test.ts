/** People of the hosted export, as its public documentation shows them: none is refused, and what stays behind is told. */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostedPeople, useFolder } from '@roster/testkit';
import { startRoster } from '../run-roster.ts';
import { useWhole, useWorkspace } from '../shared.ts';

const system = useWorkspace('hosted-people', (usual) => ({
  ...usual,
  apps: [
    { id: 'canon-ios', name: 'MovieCanon', platform: 'ios' as const },
    { id: 'canon-droid', name: 'MovieCanon', platform: 'android' as const },
  ],
}));
const whole = useWhole();
const inFolder = useFolder();

const people = 500;

const imported = async (name: string, app: string, ...more: string[]) => {
  const file = inFolder(`${name}.ndjson`);
  writeFileSync(
    file,
    hostedPeople(people, app)
      .map((person) => `${JSON.stringify(person)}\n`)
      .join(''),
  );
  const env = { ROSTER_URL: whole.base, ROSTER_API_KEY: system.key };
  const { said, ended } = startRoster(env, ['import', file, '--wait', '--json', ...more]);
  const code = await ended;
  return { code, ...JSON.parse(said.out) };
};

const appsOf = async (id: string) => {
  const user = await system.exported(id, ['push_tokens']);
  return (user?.push_tokens as { app: string }[] | undefined)?.map(({ app }) => app);
};

it('come in, all of them, with the tokens of apps by their names', async () => {
  const report = await imported('named', 'MovieCanon');
  expect(report).toMatchObject({ code: 0, rows: people, entries: { refused: 0, ignored: 0 } });
  expect(Object.keys(report.left_out).join()).not.toContain('push_tokens');
  expect(await appsOf('hosted-0')).toEqual(['canon-droid']);
});

it('come in without the tokens of an app that nothing maps, which are counted and told', async () => {
  const report = await imported('unmapped', 'Other app', '--run', 'unmapped');
  expect(report).toMatchObject({ code: 0, entries: { refused: 0, ignored: 0 } });
  expect(report.left_out).toMatchObject({ 'push_tokens of the app Other app': people });
  const reason = report.left_out_reasons['push_tokens of the app Other app'];
  expect(reason).toContain("--app 'Other app=<id of the app>'");
  const listed = readFileSync(report.left_out_file, 'utf8').trimEnd().split('\n');
  const tokens = listed.map((line) => JSON.parse(line)).filter(({ name }) => name.startsWith('push_tokens'));
  expect(tokens).toHaveLength(people);
  expect(tokens[0]).toMatchObject({ line: 1, person: { external_id: 'hosted-0' }, reason });
});

it('come in with the tokens of an app that --app maps', async () => {
  const report = await imported('mapped', 'Old=Shop', '--run', 'mapped', '--app', 'Old=Shop=canon-ios');
  expect(report).toMatchObject({ code: 0, entries: { refused: 0, ignored: 0 } });
  expect(Object.keys(report.left_out).join()).not.toContain('push_tokens');
  expect(await appsOf('hosted-0')).toContain('canon-ios');
});

it('come in without subscription groups that the workspace does not have', async () => {
  const file = inFolder('groups.ndjson');
  const subscription_groups = [
    { id: 'demo-news', state: 'subscribed' },
    { id: 'of-there', state: 'subscribed' },
  ];
  writeFileSync(file, `${JSON.stringify({ type: 'user', external_id: 'grouped', subscription_groups })}\n`);
  const env = { ROSTER_URL: whole.base, ROSTER_API_KEY: system.key };
  const { said, ended } = startRoster(env, ['import', file, '--wait', '--json']);
  expect(await ended).toBe(0);
  expect(JSON.parse(said.out).left_out).toEqual({ 'subscription_groups of of-there': 1 });
  const user = await system.exported('grouped', ['subscription_groups']);
  expect(user?.subscription_groups).toMatchObject([{ id: 'demo-news', state: 'subscribed' }]);
});
