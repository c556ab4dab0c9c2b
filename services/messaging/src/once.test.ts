import { useTestbed } from './testbed.ts';

const { store, test } = useTestbed();

const footer = { name: 'footer', content: 'x' };

it('the outcome can be read afterwards', async () => {
  const [good, bad] = [1, 2].map(() => test.requestOf('content_blocks.create', footer, {}));
  if (!good || !bad) throw new Error('no requests');
  await test.deliver(good);
  await test.deliver(bad);
  expect(await store.outcomes.read('demo', good.id)).toMatchObject({ state: 'applied' });
  const reason = 'Content Block with this name already exists';
  expect(await store.outcomes.read('demo', bad.id)).toMatchObject({ state: 'failed', reason });
});

it('a request that became a dead letter is not applied later', async () => {
  const request = test.requestOf('content_blocks.create', footer, {});
  await store.outcomes.fail(request, 'it was too much');
  expect((await test.deliver(request)).status).toBe(500);
  expect(await store.content.blocks.countDocuments()).toBe(0);
});
