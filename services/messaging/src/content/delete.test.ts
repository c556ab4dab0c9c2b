import { useTestbed } from '../testbed.ts';
import { liquidTagOf } from './show-block.ts';

const { store, test } = useTestbed();

const create = async (name: string, content = 'x'): Promise<string> => {
  const { body } = await test.send('content_blocks.create', { name, content });
  return String(body.content_block_id);
};
const remove = (content_block_id: unknown, more: object = {}, sent = {}) =>
  test.send('content_blocks.delete', { content_block_id, ...more }, sent);
const refused = (message: string) => ({ status: 400, body: { message } });

it('a block is deleted with its versions, and its name is free', async () => {
  const id = await create('a');
  await test.send('content_blocks.update', { content_block_id: id, content: 'y' });
  expect(await remove(id)).toEqual({ status: 201, body: { message: 'success' } });
  expect(await store.content.blocks.countDocuments()).toBe(0);
  expect(await store.content.versions.countDocuments()).toBe(0);
  expect(await store.content.deleted.findOne({})).toMatchObject({ _id: id, by: 'key1' });
  expect(await store.content.spaces.findOne({})).toMatchObject({ blocks: 0, versions: 0 });
  expect(await create('a')).not.toBe(id);
});

it('is refused while a block includes it, unless it is forced', async () => {
  const id = await create('a');
  await create('b', liquidTagOf('a'));
  expect(await remove(id)).toEqual(refused('Content Block is in use by content_block b'));
  expect(await remove(id, { force: false })).toMatchObject({ status: 400 });
  expect(await remove(id, { force: true })).toMatchObject({ status: 201 });
});

it('a block that comes back under the name of a deleted one closes no circle', async () => {
  await create('b', liquidTagOf(await create('a').then(() => 'a')));
  const a = await store.content.blocks.findOne({ name: 'a' });
  await remove(a?._id, { force: true });
  const message = 'Content Block cannot be referenced within itself';
  const again = await test.send('content_blocks.create', { name: 'a', content: liquidTagOf('b') });
  expect(again).toEqual(refused(message));
});

it.each([
  ['Content Block ID cannot be blank', undefined],
  ['Content Block ID is invalid for this workspace', 'x'],
])('%s', async (message, id) => {
  expect(await remove(id)).toEqual(refused(message));
});

it('a draft does not come under a name that people see, neither as a new block nor by another name', async () => {
  await create('b', liquidTagOf(await create('a').then(() => 'a')));
  const a = await store.content.blocks.findOne({ name: 'a' });
  await remove(a?._id, { force: true });
  const inUse = refused('Content Block is in use by content_block b');
  const draft = { content: 'x', state: 'draft' };
  expect(await test.send('content_blocks.create', { name: 'a', ...draft })).toEqual(inUse);
  const { body } = await test.send('content_blocks.create', { name: 'c', ...draft });
  const renamed = { content_block_id: body.content_block_id, name: 'a', ...draft };
  expect(await test.send('content_blocks.update', renamed)).toEqual(inUse);
  expect((await test.send('content_blocks.create', { name: 'a', content: 'x' })).status).toBe(201);
});

it('a block of another workspace stays', async () => {
  const id = await create('a');
  expect(await remove(id, {}, { ws: 'other' })).toEqual(
    refused('Content Block ID is invalid for this workspace'),
  );
  expect(await store.content.blocks.countDocuments()).toBe(1);
});

it('a block that is included at the same moment is not deleted from under it', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await create(`a${round}`);
    await Promise.all([remove(id), create(`b${round}`, liquidTagOf(`a${round}`))]);
    const [used, user] = await Promise.all([
      store.content.blocks.countDocuments({ name: `a${round}` }),
      store.content.blocks.countDocuments({ name: `b${round}` }),
    ]);
    expect(user).toBe(used);
  }
});
