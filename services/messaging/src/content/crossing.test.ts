/** No sequence of changes, also of changes at the same moment, leaves a circle, two blocks of one name, a reference to nothing, or a draft that people see. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@roster/store';
import fc from 'fast-check';
import { createTestbed, useTestbed } from '../testbed.ts';
import { liquidTagOf } from './reads.ts';

const { store, test } = useTestbed();

interface Step {
  kind: 'create' | 'update' | 'delete' | 'center';
  name: string;
  to: string;
  includes: string[];
  state: 'active' | 'draft';
}

const names = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'update', 'update', 'delete', 'center'),
  name,
  to: name,
  includes: fc.subarray(names, { maxLength: 2 }),
  state: fc.constantFrom('active', 'active', 'draft'),
});

/** Steps in one element are made at the same moment. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

const idOf = async (of: string): Promise<string> =>
  (await store.content.blocks.findOne({ ws, name: of }))?._id ?? 'nothing';

let ws = '';

type Send = typeof test.send;

/** Makes it, or changes the one that is there. */
const makeCenter = async (send: Send, of: string, content: string): Promise<number> => {
  const pages = { preference_center_page_html: content, confirmation_page_html: 'x' };
  const found = await store.preferenceCenters.findOne({ ws, name: of });
  const sent = found
    ? await send('preference_center.update', pages, {
        ws,
        params: { preferenceCenterExternalID: found._id },
      })
    : await send('preference_center.create', { name: of, ...pages }, { ws });
  // An update of a preference center is answered 200.
  return sent.status === 200 ? 201 : sent.status;
};

const make = async (send: Send, step: Step, force: boolean): Promise<number> => {
  const { kind, name: of, to, includes, state } = step;
  const content = `x${includes.map(liquidTagOf).join('')}`;
  if (kind === 'center') return makeCenter(send, of, content);
  if (kind === 'create')
    return (await send('content_blocks.create', { name: of, content, state }, { ws })).status;
  const content_block_id = await idOf(of);
  const change = { content_block_id, name: to, content, state };
  const sent =
    kind === 'update'
      ? await send('content_blocks.update', change, { ws })
      : await send('content_blocks.delete', { content_block_id, force }, { ws });
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
  const centers = await store.preferenceCenters.find({ ws }).toArray();
  const nothing = [...blocks, ...centers]
    .flatMap(({ includes }) => includes)
    .filter((one) => !graph.has(one));
  const drafts = new Set(blocks.filter(({ state }) => state === 'draft').map((block) => block.name));
  const shown = [...blocks.filter(({ state }) => state === 'active'), ...centers]
    .flatMap(({ includes }) => includes)
    .filter((one) => drafts.has(one));
  const space = await store.content.spaces.findOne({ _id: ws });
  const versions = await store.content.versions.countDocuments({ ws });
  return [
    ...(graph.size === blocks.length ? [] : ['two blocks of one name']),
    ...(new Set(centers.map((one) => one.name)).size === centers.length ? [] : ['two centers of one name']),
    ...(force ? [] : nothing.map((one) => `a reference to ${one}, which is not there`)),
    ...shown.map((one) => `people see ${one}, which is a draft`),
    ...[...graph.keys()].filter((one) => leadsBack(one, graph)).map((one) => `${one} is in a circle`),
    ...((space?.blocks ?? 0) === blocks.length ? [] : ['a wrong number of blocks']),
    ...((space?.versions ?? 0) === versions ? [] : ['a wrong number of versions']),
  ];
};

it.each([
  ['a delete that is refused while the block is in use', false, 60],
  ['a delete that is forced', true, 30],
])('%s', async (_what, force, all) => {
  // With the same seed they are the same each time.
  const numRuns = process.env.ROSTER_ALL_RUNS ? all : all / 3;
  const statuses = new Set<number>();
  let run = 0;
  const property = fc.asyncProperty(story, async (steps) => {
    ws = `story-${force}-${run++}`;
    for (const atOnce of steps) {
      for (const status of await Promise.all(atOnce.map((one) => make(test.send, one, force))))
        statuses.add(status);
      expect(await flaws(force)).toEqual([]);
    }
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  // 409: another one of the same moment was accepted later and came first.
  expect([...statuses].filter((status) => status !== 409).toSorted()).toEqual([201, 400]);
});

/** Between the checks of a change and what it writes there is time for another one. */
const slowToCount = (spaces: Store['content']['spaces']): Store['content']['spaces'] =>
  new Proxy(spaces, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        if (name === 'findOneAndUpdate') await sleep(10);
        return member.apply(target, given);
      };
    },
  });

const block = (kind: Step['kind'], of: string, ...includes: string[]): Step => ({
  kind,
  name: of,
  to: of,
  includes,
  state: 'active',
});

/** Changes of one moment, each of which is right by itself, beside active blocks a, b and c: so many of them are made. */
const crossings: [what: string, flaw: RegExp, made: number, steps: Step[]][] = [
  ['two updates that close a circle', /circle/, 1, [block('update', 'a', 'b'), block('update', 'b', 'a')]],
  [
    'three updates that close a circle',
    /circle/,
    2,
    [block('update', 'a', 'b'), block('update', 'b', 'c'), block('update', 'c', 'a')],
  ],
  ['a deletion of what is just included', /reference/, 1, [block('update', 'a', 'b'), block('delete', 'b')]],
  [
    'a deletion of what a new one includes',
    /reference|wrong number/,
    1,
    [block('create', 'd', 'b'), block('delete', 'b')],
  ],
  // An index keeps the other ones out; only the transaction takes back that they were counted.
  ['blocks of one name', /wrong number/, 1, Array(8).fill(block('create', 'd'))],
];

let crossed = 0;

const flawsOf = async (
  send: Send,
  steps: readonly Step[],
  { times, made }: { times: number; made?: number },
): Promise<string> => {
  for (let n = 0; n < times; n++) {
    ws = `crossing-${crossed++}`;
    for (const one of ['a', 'b', 'c']) await make(send, block('create', one), false);
    const statuses = await Promise.all(steps.map((one) => make(send, one, false)));
    if (made !== undefined)
      expect(statuses.toSorted()).toEqual(steps.map((_, place) => (place < made ? 201 : 400)));
    const found = await flaws(false);
    if (found.length > 0) return found.join();
  }
  return '';
};

describe.each(crossings)('%s', (_what, flaw, made, steps) => {
  it('leave nothing wrong', async () => {
    expect(await flawsOf(test.send, steps, { times: 10, made })).toBe('');
  });

  it('the control: without transactions they do', async () => {
    const careless = createTestbed({
      ...store,
      content: { ...store.content, spaces: slowToCount(store.content.spaces) },
      transact: (work) => work(undefined as never, undefined as never),
    });
    const send: Send = (...given) => careless.send(...given).catch(() => ({ status: 500, body: {} }));
    expect(await flawsOf(send, steps, { times: 20 })).toMatch(flaw);
  });
});
