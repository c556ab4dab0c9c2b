/** What a content may hold: Liquid that can be parsed, and blocks that are there. */
import { refused, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './show-block.ts';

const { store, test } = useTestbed();

const create = (name: string, content: string) => test.send('content_blocks.create', { name, content });

it('tells where the Liquid is malformed', async () => {
  expect(await create('a', 'Hello\n  {% if x %}')).toEqual(
    refused('Content contains malformed liquid', {
      faults: [{ reason: expect.stringContaining('not closed'), line: 2, column: 3 }],
    }),
  );
});

it('keeps which blocks the content includes', async () => {
  await create('footer', 'x');
  expect((await create('letter', `Hello ${liquidTagOf('footer')}`)).status).toBe(201);
  expect(await store.content.blocks.findOne({ name: 'letter' })).toMatchObject({ includes: ['footer'] });
});

it('refuses a reference to a block that does not exist', async () => {
  const message = 'Content references a Content Block that does not exist: footer';
  expect(await create('letter', liquidTagOf('footer'))).toEqual(refused(message));
});

it('refuses a reference to the block itself', async () => {
  const message = 'Content Block cannot be referenced within itself';
  expect(await create('a', liquidTagOf('a'))).toEqual(refused(message));
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
