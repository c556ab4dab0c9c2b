import type { OperationId } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import type { ContentChange, Tools } from '../handler.ts';
import { createSchedule } from '../schedules/changes.ts';
import { inAnHour, useSchedules } from '../schedules/testbed.ts';
import { createSenderSettings } from '../sending/settings.ts';
import { toWebhook, urls } from '../sending/testbed.ts';
import { refused } from '../testbed.ts';
import { deleteBlock } from './changes.ts';
import { liquidTagOf } from './reads.ts';

const { store, test, ...schedules } = useSchedules();

const create = async (name: string, content = 'x'): Promise<string> => {
  const { body } = await test.send('content_blocks.create', { name, content });
  return String(body.content_block_id);
};
const remove = (content_block_id: unknown, more: object = {}, sent = {}) =>
  test.send('content_blocks.delete', { content_block_id, ...more }, sent);

/** The block `a`, by force, which the block `b` includes. */
const deleteUsed = async () => {
  const id = await create('a');
  await create('b', liquidTagOf('a'));
  await remove(id, { force: true });
};

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
  await deleteUsed();
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
  await deleteUsed();
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

const including = (name: string) => ({ messages: toWebhook(liquidTagOf(name)) });
const plan = async (name: string): Promise<string> =>
  String((await schedules.create(including(name))).body.schedule_id);

describe('a block that a schedule includes', () => {
  it('is not deleted while the schedule waits or is being sent, unless it is forced', async () => {
    const [id, first] = [await create('a'), await plan('a')];
    const inUse = refused(`Content Block is in use by schedule ${first}`);
    expect(await remove(id)).toEqual(inUse);
    await store.messages.schedules.updateOne({ _id: first }, { $set: { state: 'sending' } });
    expect(await remove(id)).toEqual(inUse);
    expect(await remove(id, { force: true })).toMatchObject({ status: 201 });
  });

  it('is deleted when no schedule needs it any more', async () => {
    const [id, changed, cancelled] = [await create('a'), await plan('a'), await plan('a')];
    await schedules.change(changed, { messages: toWebhook() });
    expect(await remove(id)).toEqual(refused(`Content Block is in use by schedule ${cancelled}`));
    await schedules.remove(cancelled);
    expect(await remove(id)).toMatchObject({ status: 201 });
  });

  it('is not deleted when an update of the schedule begins to include it', async () => {
    const [id, schedule_id] = [await create('a'), await create('b').then(() => plan('b'))];
    await schedules.change(schedule_id, including('a'));
    expect(await remove(id)).toEqual(refused(`Content Block is in use by schedule ${schedule_id}`));
  });

  it('is named with ten schedules, however many there are', async () => {
    const id = await create('a');
    for (let n = 0; n < 12; n++) await plan('a');
    expect(String((await remove(id)).body.message).split(', ')).toHaveLength(10);
  });
});

describe('a block that is deleted while a schedule is created with it', () => {
  /** Makes the change; after its transaction has begun, and before it writes, the other one comes. */
  const makeWhile = async (
    change: ContentChange,
    op: OperationId,
    body: object,
    other: () => Promise<unknown>,
  ) => {
    const liquid = openLiquid();
    const tools: Tools = {
      ...{ store, liquidOf: () => liquid, urls, settingsOf: createSenderSettings(store) },
      emailFault: async () => undefined,
    };
    const write = await change(test.requestOf(op, body, {}), tools);
    let tries = 0;
    return store.transact(async (session) => {
      await store.content.blocks.findOne({}, { session });
      if (tries++ === 0) await other();
      return write(session);
    });
  };

  it('the deletion was first: the schedule is refused', async () => {
    const id = await create('a');
    const body = { external_user_ids: ['ada'], schedule: { time: inAnHour() }, ...including('a') };
    const creating = makeWhile(createSchedule, 'messages.schedule.create', body, async () =>
      expect(await remove(id)).toMatchObject({ status: 201 }),
    );
    await expect(creating).rejects.toThrow('A message includes a Content Block that does not exist: a');
    expect(await store.messages.schedules.countDocuments()).toBe(0);
  });

  it('the schedule was first: the deletion is refused', async () => {
    const id = await create('a');
    const deleting = makeWhile(deleteBlock, 'content_blocks.delete', { content_block_id: id }, () =>
      plan('a'),
    );
    await expect(deleting).rejects.toThrow('Content Block is in use by schedule');
    expect(await store.content.blocks.countDocuments()).toBe(1);
  });
});
