import type { Query } from '@roster/contract';
import { refused, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './reads.ts';

const { store, test } = useTestbed();

beforeAll(() => store.keys.put({ id: 'key1', name: 'marketing' }));

const create = async (name: string, content = 'x', sent = {}): Promise<string> => {
  const { body } = await test.send('content_blocks.create', { name, content }, sent);
  return String(body.content_block_id);
};
const list = (query: Query = {}) => test.send('content_blocks.list', undefined, { query });
const info = (query: Query, sent = {}) => test.send('content_blocks.info', undefined, { query, ...sent });

const names = async (query: Query = {}) => {
  const { body } = await list(query);
  return (body.content_blocks as { name: string }[]).map(({ name }) => name);
};

/** 2025-11-13T02:13:20Z, and the seconds after it. */
const second = (n: number): number => 1_763_000_000_000_000 + n * 1_000_000;

describe('the list', () => {
  it('shows blocks without their content, the last changed first', async () => {
    const footer = await create('footer', '<p>x</p>');
    await create('letter', `Hello ${liquidTagOf('footer')}`);
    const { status, body } = await list();
    expect([status, body]).toMatchObject([
      200,
      {
        count: 2,
        message: 'success',
        content_blocks: [
          { name: 'letter', content_type: 'text', inclusion_count: 0 },
          {
            content_block_id: footer,
            name: 'footer',
            content_type: 'html',
            liquid_tag: liquidTagOf('footer'),
            inclusion_count: 1,
            tags: [],
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('<p>');
  });

  it('shows a page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    expect(await names({ limit: '2' })).toEqual(['d', 'c']);
    expect(await names({ limit: '2', offset: '2' })).toEqual(['b', 'a']);
    expect((await list({ limit: '1' })).body.count).toBe(4);
  });

  it('shows 100 blocks when no number is sent', async () => {
    for (let n = 0; n < 101; n++) await create(`b${n}`);
    expect(await names()).toHaveLength(100);
    expect(await names({ limit: '1000' })).toHaveLength(101);
  });

  it('shows what was changed between two times, both included', async () => {
    for (const n of [1, 2, 3, 4]) await create(`b${n}`, 'x', { at: second(n) + 123 });
    const [from, to] = ['2025-11-13T02:13:22Z', '2025-11-13T02:13:23Z'];
    expect(await names({ modified_after: from })).toEqual(['b4', 'b3', 'b2']);
    expect(await names({ modified_before: to })).toEqual(['b3', 'b2', 'b1']);
    // A `+` that is not escaped comes as a space.
    for (const zone of ['+0000', '%2B00:00', ' 0000', ' 00:00'].map(decodeURIComponent))
      expect(await names({ modified_before: `2025-11-13T02:13:23${zone}` })).toEqual(['b3', 'b2', 'b1']);
    expect(await names({ modified_after: from, modified_before: to })).toEqual(['b3', 'b2']);
    expect(await names({ modified_after: from, modified_before: from })).toEqual(['b2']);
  });

  it('shows nothing of another workspace', async () => {
    await create('a', 'x', { ws: 'other' });
    expect((await list()).body).toMatchObject({ count: 0, content_blocks: [] });
  });

  it.each([
    ['Modified after time is invalid', { modified_after: 'yesterday' }],
    ['Modified before time is invalid', { modified_before: '2025-13-01' }],
    [
      'Modified after time must be earlier than or the same as modified before time.',
      { modified_after: '2025-01-02', modified_before: '2025-01-01' },
    ],
    ['Content Block number limit is invalid', { limit: 'many' }],
    ['Content Block number limit is invalid', { limit: '1.5' }],
    ['Content Block number limit must be greater than 0', { limit: '0' }],
    ['Content Block number limit must be greater than 0', { limit: '-1' }],
    ['Content Block number limit exceeds maximum of 1000', { limit: '1001' }],
    ['Offset is invalid', { offset: 'x' }],
    ['Offset must be greater than 0.', { offset: '0' }],
    ['Offset must be greater than 0.', { offset: '-5' }],
  ])('%s', async (message, query) => {
    expect(await list(query)).toEqual(refused(message));
  });
});

describe('a block', () => {
  it('is shown with its content', async () => {
    const id = await create('a', '<p>x</p>');
    expect(await info({ content_block_id: id })).toMatchObject({
      status: 200,
      body: {
        content_block_id: id,
        name: 'a',
        content: '<p>x</p>',
        content_type: 'html',
        description: null,
        inclusion_count: 0,
        inclusion_data: [],
        version: 1,
        message: 'success',
      },
    });
  });

  it('tells what includes it when it is asked', async () => {
    const id = await create('a');
    const by = await create('b', liquidTagOf('a'));
    const asked = { content_block_id: id, include_inclusion_data: 'true' };
    expect((await info(asked)).body).toMatchObject({
      inclusion_count: 1,
      inclusion_data: [{ type: 'content_block', id: by, name: 'b' }],
    });
    expect((await info({ ...asked, include_inclusion_data: 'false' })).body.inclusion_data).toEqual([]);
  });

  it('is shown as it was before, with author, members and time of each change', async () => {
    const id = await create('a', 'one', { at: second(1) });
    const change = { content_block_id: id, content: '<b>two</b>', description: 'd' };
    await test.send('content_blocks.update', change, { at: second(2), by: 'gone' });
    const { body } = await info({ content_block_id: id, version: '1' });
    expect(body).toMatchObject({ content: 'one', content_type: 'text', description: null, version: 1 });
    expect(body.versions).toEqual([
      {
        version: 2,
        state: 'active',
        edited_at: '2025-11-13T02:13:22.000Z',
        edited_by: { key: 'gone', name: null },
        changed: ['description', 'content'],
      },
      {
        version: 1,
        state: 'active',
        edited_at: '2025-11-13T02:13:21.000Z',
        edited_by: { key: 'key1', name: 'marketing' },
        changed: ['name', 'content', 'state', 'tags'],
      },
    ]);
    const latest = await info({ content_block_id: id, version: '2' });
    expect(latest.body).toMatchObject({ content: '<b>two</b>', version: 2 });
  });

  it('is shown with the author of an old version, too, when there are many since', async () => {
    const id = await create('a', 'one');
    for (let n = 2; n <= 102; n++)
      await test.send('content_blocks.update', { content_block_id: id, content: `number ${n}` });
    const versionsOf = async (query: object) =>
      (await info({ content_block_id: id, ...query })).body.versions as { version: number }[];
    expect((await versionsOf({})).map(({ version }) => version)).toEqual(
      Array.from({ length: 100 }, (_, n) => 102 - n),
    );
    const asked = await versionsOf({ version: '1' });
    expect(asked).toHaveLength(101);
    expect(asked.at(-1)).toMatchObject({ version: 1, edited_by: { key: 'key1', name: 'marketing' } });
  });

  it('that was deleted is told so, for a year', async () => {
    const id = await create('a');
    await test.send('content_blocks.delete', { content_block_id: id });
    const message = 'Content Block has been deleted\u2014content not available';
    expect(await info({ content_block_id: id })).toEqual(refused(message));
    const deleted = await store.content.deleted.findOne({ _id: id });
    expect(deleted?.expires.getTime()).toBeGreaterThan(Date.now() + 364 * 24 * 3600_000);
  });

  it.each([
    ['Content Block ID cannot be blank', {}],
    ['Content Block ID cannot be blank', { content_block_id: '' }],
    ['Content Block ID is invalid for this workspace', { content_block_id: 'x' }],
    ['Include Inclusion Data\u2014error', { content_block_id: 'x', include_inclusion_data: 'yes' }],
  ])('%s', async (message, query) => {
    expect(await info(query)).toEqual(refused(message));
  });

  it.each(['0', '2', '1.0', '-1', 'x'])('has no version %s', async (version) => {
    const id = await create('a');
    const message = 'Content Block version is not available';
    expect(await info({ content_block_id: id, version })).toEqual(refused(message));
  });

  it('of another workspace is not there', async () => {
    const id = await create('a');
    const message = 'Content Block ID is invalid for this workspace';
    expect(await info({ content_block_id: id }, { ws: 'other' })).toEqual(refused(message));
  });
});
