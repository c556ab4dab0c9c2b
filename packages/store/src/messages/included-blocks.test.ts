import { aContentBlock, useStore } from '@roster/testkit';
import { openStore } from '../connection/open-store.ts';

const store = useStore({ open: openStore });

const block = (name: string, includes: string[], ws = 'demo') =>
  aContentBlock({ _id: `${ws}-${name}`, ws, name, content: `content of ${name}`, includes });

beforeAll(() =>
  store.content.blocks.insertMany([
    block('a', ['b', 'c']),
    block('b', ['c', '__proto__', 'gone']),
    block('c', []),
    block('__proto__', ['a']),
    block('a', [], 'other'),
    ...Array.from({ length: 100 }, (_, n) => block(`chain${n}`, [`chain${n + 1}`])),
  ]),
);

it('the blocks and those that they include, each once, also in a circle', async () => {
  const found = await store.includedBlocks('demo', ['a', 'a']);
  expect(Object.entries(found).toSorted()).toEqual(
    ['__proto__', 'a', 'b', 'c'].map((name) => [name, `content of ${name}`]),
  );
});

it('nothing for nothing', async () => {
  expect(await store.includedBlocks('demo', [])).toEqual({});
  expect(await store.includedBlocks('demo', ['gone'])).toEqual({});
});

it('80 blocks at most', async () => {
  expect(Object.keys(await store.includedBlocks('demo', ['chain0']))).toHaveLength(80);
});
