/** No sequence of changes, also of changes at the same moment, leaves a circle, two blocks of one name, or a reference to nothing. */
import fc from 'fast-check';
import { useTestbed } from '../testbed.ts';
import { liquidTagOf } from './show-block.ts';

jest.setTimeout(120_000);

const { store, test } = useTestbed();

interface Step {
  kind: 'create' | 'update' | 'delete';
  name: string;
  to: string;
  includes: string[];
  state: 'active' | 'draft';
}

const names = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'update', 'update', 'delete'),
  name,
  to: name,
  includes: fc.subarray(names, { maxLength: 2 }),
  state: fc.constantFrom('active', 'draft', 'draft'),
});

/** Steps in one element are made at the same moment. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

const idOf = async (of: string): Promise<string> =>
  (await store.content.blocks.findOne({ ws, name: of }))?._id ?? 'nothing';

let ws = '';

const make = async ({ kind, name: of, to, includes, state }: Step, force: boolean): Promise<number> => {
  const content = `x${includes.map(liquidTagOf).join('')}`;
  if (kind === 'create')
    return (await test.send('content_blocks.create', { name: of, content, state }, { ws })).status;
  const content_block_id = await idOf(of);
  const change = { content_block_id, name: to, content, state };
  const sent =
    kind === 'update'
      ? await test.send('content_blocks.update', change, { ws })
      : await test.send('content_blocks.delete', { content_block_id, force }, { ws });
  return sent.status;
};

const leadsBack = (from: string, graph: ReadonlyMap<string, string[]>): boolean => {
  const seen = new Set<string>();
  const next = [...(graph.get(from) ?? [])];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (one === from) return true;
    if (!seen.has(one)) next.push(...(graph.get(one) ?? []));
    seen.add(one);
  }
  return false;
};

const flaws = async (force: boolean): Promise<string[]> => {
  const blocks = await store.content.blocks.find({ ws }).toArray();
  const graph = new Map(blocks.map((block) => [block.name, block.includes]));
  const nothing = blocks.flatMap((block) => block.includes).filter((one) => !graph.has(one));
  const space = await store.content.spaces.findOne({ _id: ws });
  const versions = await store.content.versions.countDocuments({ ws });
  return [
    ...(graph.size === blocks.length ? [] : ['two blocks of one name']),
    ...(force ? [] : nothing.map((one) => `a reference to ${one}, which is not there`)),
    ...[...graph.keys()].filter((one) => leadsBack(one, graph)).map((one) => `${one} is in a circle`),
    ...((space?.blocks ?? 0) === blocks.length ? [] : ['a wrong number of blocks']),
    ...((space?.versions ?? 0) === versions ? [] : ['a wrong number of versions']),
  ];
};

it.each([
  ['a delete that is refused while the block is in use', false, 60],
  ['a delete that is forced', true, 30],
])('%s', async (_what, force, numRuns) => {
  const statuses = new Set<number>();
  let run = 0;
  const property = fc.asyncProperty(story, async (steps) => {
    ws = `story-${force}-${run++}`;
    for (const atOnce of steps) {
      for (const status of await Promise.all(atOnce.map((one) => make(one, force)))) statuses.add(status);
      expect(await flaws(force)).toEqual([]);
    }
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  // 409: another one of the same moment was accepted later and came first.
  expect([...statuses].filter((status) => status !== 409).toSorted()).toEqual([201, 400]);
});
