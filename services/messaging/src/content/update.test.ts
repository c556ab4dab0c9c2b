import { refused, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './reads.ts';

const { store, test } = useTestbed();

const create = async (name: string, more: object = {}): Promise<string> => {
  const { status, body } = await test.send('content_blocks.create', { name, content: 'x', ...more });
  expect([status, body]).toEqual([201, expect.anything()]);
  return String(body.content_block_id);
};
const update = (id: unknown, body: object, sent = {}) =>
  test.send('content_blocks.update', { content_block_id: id, ...body }, sent);
const found = (_id: string) => store.content.blocks.findOne({ _id });

describe('an update', () => {
  it('changes what is sent and keeps the rest', async () => {
    const id = await create('a', { description: 'd', tags: ['legal'] });
    const { status, body } = await update(id, { content: 'y' }, { by: 'key2' });
    expect([status, body]).toMatchObject([201, { content_block_id: id, message: 'success' }]);
    expect(await found(id)).toMatchObject({
      name: 'a',
      content: 'y',
      description: 'd',
      tags: ['legal'],
      version: 2,
      changed: ['content'],
      by: 'key2',
    });
  });

  it('replaces the whole list of tags', async () => {
    const id = await create('a', { tags: ['legal'] });
    await update(id, { tags: ['footer'] });
    expect(await found(id)).toMatchObject({ tags: ['footer'] });
  });

  it('keeps the version before it, once however often its job comes', async () => {
    const id = await create('a');
    const request = test.requestOf('content_blocks.update', { content_block_id: id, content: 'y' }, {});
    await Promise.all([test.deliver(request), test.deliver(request)]);
    const versions = await store.content.versions.find({}).toArray();
    expect(versions).toMatchObject([{ block: id, version: 1, content: 'x', by: 'key1' }]);
    expect(await store.content.spaces.findOne({})).toMatchObject({ blocks: 1, versions: 1 });
  });

  it('that changes nothing makes no version', async () => {
    const id = await create('a');
    expect((await update(id, { content: 'x' })).status).toBe(201);
    expect(await found(id)).toMatchObject({ version: 1 });
    expect(await store.content.versions.countDocuments()).toBe(0);
  });

  it('makes a draft active when it does not say draft', async () => {
    const id = await create('a', { state: 'draft' });
    await update(id, { state: 'draft', content: 'y' });
    expect(await found(id)).toMatchObject({ state: 'draft' });
    await update(id, { content: 'z' });
    expect(await found(id)).toMatchObject({ state: 'active' });
  });

  it('renames a draft, also one that becomes active with it', async () => {
    const id = await create('a', { state: 'draft' });
    expect((await update(id, { name: 'b', state: 'draft' })).body.liquid_tag).toBe(liquidTagOf('b'));
    expect((await update(id, { name: 'c' })).body.liquid_tag).toBe(liquidTagOf('c'));
    expect((await update(id, { name: 'c', content: 'same name' })).status).toBe(201);
  });
});

describe('is refused', () => {
  it.each([
    ['Content Block ID cannot be blank', undefined],
    ['Content Block ID cannot be blank', ' '],
    ['Content Block ID is invalid for this workspace', 'x'],
  ])('%s', async (message, id) => {
    expect(await update(id, {})).toEqual(refused(message));
  });

  it.each([
    ['Content cannot be blank', { content: '' }],
    ['Content Block cannot be referenced within itself', { content: liquidTagOf('a') }],
    ['Content Block with this name already exists', { name: 'other' }],
  ])('%s', async (message, body) => {
    await create('other');
    const id = await create('a', { state: 'draft' });
    const before = await found(id);
    expect(await update(id, body)).toEqual(refused(message));
    expect(await found(id)).toEqual(before);
  });

  it('malformed Liquid, with its place', async () => {
    const { status, body } = await update(await create('a'), { content: '{% if %}' });
    expect([status, body]).toMatchObject([
      400,
      { message: 'Content contains malformed liquid', faults: [{ line: 1 }] },
    ]);
  });

  it.each([
    [{ name: 'b' }, 'Content Block name cannot be updated for active Content Blocks'],
    [{ state: 'draft' }, 'Active Content Block can not be updated to Draft. Create a new Content Block.'],
  ])('an active block with %j', async (body, message) => {
    expect(await update(await create('a'), body)).toEqual(refused(message));
  });

  it('another name of a draft that is included', async () => {
    const id = await create('a', { state: 'draft' });
    await create('b', { content: liquidTagOf('a'), state: 'draft' });
    expect(await update(id, { name: 'c' })).toEqual(refused('Content Block is in use by content_block b'));
  });

  it('a draft in an active block, and as active while a draft is in it', async () => {
    await create('a', { state: 'draft' });
    const message = 'Content references a Content Block that does not exist: a';
    const inside = await create('b', { content: liquidTagOf('a'), state: 'draft' });
    expect(await update(inside, { state: 'active' })).toEqual(refused(message));
    expect(await update(await create('c'), { content: liquidTagOf('a') })).toEqual(refused(message));
  });

  it('a change that was accepted before the last one and comes much later', async () => {
    const id = await create('a');
    const late = test.requestOf('content_blocks.update', { content_block_id: id, content: 'late' }, {});
    await update(id, { content: 'new' });
    expect(await test.deliver(late)).toEqual(
      refused('Content Block was changed by a later request', {}, 409),
    );
    expect(await found(id)).toMatchObject({ content: 'new' });
  });

  it('a version past the last one of the workspace', async () => {
    const id = await create('a');
    await store.content.spaces.updateOne({}, { $set: { versions: 20_000 } });
    const message = 'There is no room for another version of this Content Block';
    expect(await update(id, { content: 'y' })).toEqual(refused(message));
  });
});

it('a block keeps its last 500 versions, and can always be changed', async () => {
  const id = await create('a');
  await update(id, { content: 'y' });
  await store.content.blocks.updateOne({ _id: id }, { $set: { version: 501 } });
  expect((await update(id, { content: 'z' })).status).toBe(201);
  const kept = await store.content.versions.find({}).toArray();
  expect(kept).toMatchObject([{ _id: `${id}:501`, version: 501 }]);
  expect(await store.content.spaces.findOne({})).toMatchObject({ versions: 1 });
  await test.send('content_blocks.delete', { content_block_id: id });
  expect(await store.content.spaces.findOne({})).toMatchObject({ blocks: 0, versions: 0 });
});

describe('a circle', () => {
  const circle = refused('Content Block cannot be referenced within itself');
  const names = ['a', 'b', 'c', 'd', 'e'];

  /** Each includes the one before it. */
  const chain = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (const [n, name] of names.entries())
      ids.push(await create(name, n === 0 ? {} : { content: liquidTagOf(names[n - 1] ?? '') }));
    return ids;
  };

  it.each(names)('of blocks is refused: the first one includes %s', async (name) => {
    const [first] = await chain();
    expect(await update(first, { content: liquidTagOf(name) })).toEqual(circle);
  });

  it('is not what two ways to one block are', async () => {
    await chain();
    const id = await create('f', { content: names.map(liquidTagOf).join('') });
    expect((await update(id, { content: liquidTagOf('a') + liquidTagOf('e') })).status).toBe(201);
  });
});
