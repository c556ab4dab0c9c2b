import { refused, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './reads.ts';

const { store, test } = useTestbed();

const footer = { name: 'footer', content: '<p>Example Ltd</p>' };
const create = (body: unknown) => test.send('content_blocks.create', body);

describe('a block is created', () => {
  it('with what was sent', async () => {
    const sent = { ...footer, description: 'The end', state: 'draft', tags: ['legal', 'footer', 'legal'] };
    const { status, body } = await create(sent);
    expect([status, body]).toEqual([
      201,
      {
        content_block_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        liquid_tag: liquidTagOf('footer'),
        created_at: expect.stringMatching(/^2025-11-13T/),
        message: 'success',
      },
    ]);
    const found = await store.content.blocks.findOne({ _id: String(body.content_block_id) });
    expect(found).toMatchObject({ ...sent, tags: ['legal', 'footer'], ws: 'demo', by: 'key1', version: 1 });
  });

  it('as active without a word of its state', async () => {
    await create({ ...footer, description: null, tags: null });
    expect(await store.content.blocks.findOne({})).toMatchObject({ state: 'active', tags: [] });
  });

  it('in each workspace for itself', async () => {
    await create(footer);
    expect((await test.send('content_blocks.create', footer, { ws: 'other' })).status).toBe(201);
  });
});

it('is named by its Liquid tag', () => {
  expect(liquidTagOf('footer')).toBe('{{content_blocks.$' + '{footer}}}');
});

describe('is refused', () => {
  const name = (of: unknown) => ({ ...footer, name: of });
  const content = (of: unknown) => ({ ...footer, content: of });
  const description = (of: unknown) => ({ ...footer, description: of });
  const tags = (of: unknown) => ({ ...footer, tags: of });

  it.each([
    ['Content cannot be blank', { name: 'footer' }],
    ['Content cannot be blank', content(null)],
    ['Content cannot be blank', content(' \n')],
    ['Content must be a string', content(5)],
    ['Content must be smaller than 50kb', content('x'.repeat(51_200))],
    ['Content must be smaller than 50kb', content('é'.repeat(25_600))],
    ['Content Block description cannot be blank', description('')],
    ['Content Block description must be a string', description(['x'])],
    ['Content Block description must be shorter than 250 characters', description('x'.repeat(250))],
    ['Content Block name cannot be blank', { content: 'x' }],
    ['Content Block name cannot be blank', name('')],
    ['Content Block name must be shorter than 100 characters', name('x'.repeat(100))],
    ['Content Block name can only contain alphanumeric characters', name('my footer')],
    ['Content Block name can only contain alphanumeric characters', name('füße')],
    ['Content Block state must be either active or draft', { ...footer, state: 'Active' }],
    ['Tags must be an array', tags('footer')],
    ['All tags must be strings', tags(['footer', 5])],
    ['Some tags could not be found', tags(['footer', 'unknown'])],
    ['Some tags could not be found', tags(['constructor'])],
    ['name must be a string', name(5)],
    ['content must be well-formed text without NUL', content('a\0b')],
  ])('%s', async (message, body) => {
    expect(await create(body)).toEqual(refused(message));
    expect(await store.content.blocks.countDocuments()).toBe(0);
  });

  it.each([
    ['content', content('x'.repeat(51_199))],
    ['a description', description('ü'.repeat(249))],
    ['a name', name('x'.repeat(99))],
    ['a name of all signs', name('__proto__-9')],
  ])('no %s that just fits', async (_what, body) => {
    expect((await create(body)).status).toBe(201);
  });

  it('a name that another block has', async () => {
    await create(footer);
    const message = 'Content Block with this name already exists';
    expect(await create({ ...footer, content: 'other' })).toEqual(refused(message));
  });

  it('the block after the last one that a workspace may have', async () => {
    await store.content.spaces.insertOne({ _id: 'demo', changes: 0, blocks: 1_999, versions: 0 });
    expect((await create(footer)).status).toBe(201);
    const message = 'The workspace has as many Content Blocks as it may have';
    expect(await create({ ...footer, name: 'more' })).toEqual(refused(message));
  });
});

it('may link to the default preference center, and to no center that is not there', async () => {
  const linking = (to: string) => ({ name: 'footer', content: `{{preference_center.\${${to}}}}` });
  const message = 'Content links to a Preference Center that does not exist: nws. The workspace has: default';
  expect(await create(linking('nws'))).toEqual(refused(message));
  const { status, body } = await create(linking('default'));
  expect(status).toBe(201);
  const change = { content_block_id: body.content_block_id, content: linking('nws').content };
  expect(await test.send('content_blocks.update', change)).toEqual(refused(message));
});
