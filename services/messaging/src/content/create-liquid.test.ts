/** What a content may hold: Liquid that can be parsed, and blocks that are there. */
import { completeSettings } from '@roster/access';
import { refused, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './reads.ts';

const { store, test } = useTestbed();

const create = (name: string, content: string) => test.send('content_blocks.create', { name, content });

it('tells where the Liquid is malformed', async () => {
  expect(await create('a', 'Hello\n  {% if x %}')).toEqual(
    refused('Content contains malformed liquid', {
      faults: [{ reason: expect.stringContaining('not closed'), line: 2, column: 3 }],
    }),
  );
});

it.each([
  ['a block that does not exist', 'b', 'Content references a Content Block that does not exist: b'],
  ['the block itself', 'a', 'Content Block cannot be referenced within itself'],
])('refuses a reference to %s', async (_what, name, message) => {
  expect(await create('a', liquidTagOf(name))).toEqual(refused(message));
});

it('refuses 51 references, and takes 50', async () => {
  const names = Array.from({ length: 51 }, (_, n) => `b${n}`);
  for (const name of names) await create(name, 'x');
  const all = names.map(liquidTagOf);
  expect((await create('most', all.slice(1).join(''))).status).toBe(201);
  expect((await create('more', all.join(''))).body.message).toBe(
    'Content references more than 50 Content Blocks',
  );
});

describe('a name that is no variable', () => {
  const named = (name: string): string => `{{\${${name}}}}`;

  it('is told, and the block is stored: a text around it may make the name', async () => {
    const content = `${named('fist_name')} {{plan}} ${named('last_name')}{% assign mine = 1 %}{{mine}}{{custom_attribute.plan}}`;
    const faults = [
      { reason: 'content: fist_name is not a variable of Roster: did you mean first_name?' },
      {
        reason: `content: plan is not a variable of Roster. An attribute of your own is {{custom_attribute.\${plan}}}`,
      },
    ];
    const { status, body } = await create('a', content);
    expect([status, body.faults]).toEqual([201, faults]);
    const { content_block_id } = body;
    const update = (more: object) => test.send('content_blocks.update', { content_block_id, ...more });
    expect((await update({ content: named('gendr') })).body.faults).toEqual([
      { reason: 'content: gendr is not a variable of Roster: did you mean gender?' },
    ]);
    expect((await update({ tags: [] })).body).not.toHaveProperty('faults');
  });

  it('is told of a state as well: it would be empty in every message', async () => {
    const settings = completeSettings({
      id: 'demo',
      subscription_groups: [{ id: 'news', name: 'News', channel: 'email' }],
    });
    await store.workspaces.put(settings);
    const state = (group: string): string => `{{subscribed_state.\${${group}}}}`;
    const unknown = {
      reason: 'content: nws is not a subscription group of the workspace: did you mean news?',
    };
    const { status, body } = await create('a', `${state('nws')}${state('news')}${state('email_global')}`);
    expect([status, body.faults]).toEqual([201, [unknown]]);
    const { content_block_id } = body;
    const update = (content: string) => test.send('content_blocks.update', { content_block_id, content });
    expect((await update(`${state('nws')}!`)).body.faults).toEqual([unknown]);
    expect((await update(state('news'))).body).not.toHaveProperty('faults');
  });

  it('is cut, and told of ten only', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `{{${'x'.repeat(1000)}${n}}}`).join('');
    const { faults } = (await create('a', many)).body;
    expect(faults).toHaveLength(10);
    expect(JSON.stringify(faults).length).toBeLessThan(3000);
  });
});
