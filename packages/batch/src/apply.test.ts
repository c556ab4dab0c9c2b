import type { AcceptedRequest } from '@roster/contract';
import { createInPieces } from '@roster/store';
import { later, useStore } from '@roster/testkit';
import { type Apply, type BatchApplyOptions, createApply, inOrder } from './apply.ts';
import { type NamesWork, namesWork } from './testbed.ts';

const store = useStore();
let clock = 1_700_000_000_000_000;

const applying = (options: Partial<BatchApplyOptions> = {}, more: Partial<NamesWork> = {}): Apply =>
  createApply({ store, ...options }, async () => ({ ...namesWork(store), ...more }));

const apply = later(() => applying());

const request = (...names: string[]): AcceptedRequest => {
  clock += 1000;
  return { id: `r${clock.toString(36)}-00000000`, ws: 'demo', op: 'users.delete', at: clock, body: names };
};

const keeperOf = async (name: string) => (await store.identities.findOne({ _id: `demo:e:${name}` }))?.profile;

const applied = (...external_ids: string[]) => ({ state: 'applied', entries: { external_ids } });

describe('a batch', () => {
  it('has each request once, in the order of the stamps', () => {
    const [a, b, c] = [request('a'), request('b'), request('c')];
    expect(inOrder([c, a, b, a, c])).toEqual([a, b, c]);
  });

  it('is planned in the order of the stamps and answered in that of the requests', async () => {
    const [first, second] = [request('ada', 'bob'), request('bob', 'eve')];
    expect(await apply([second, first])).toEqual([
      applied('ignored:known', 'created'),
      applied('created', 'created'),
    ]);
    expect(await keeperOf('bob')).toBe(first.id);
  });

  it('that comes twice is applied once and has the same outcome', async () => {
    const batch = [request('once'), request('once')];
    const outcomes = await apply(batch);
    const counted: string[] = [];
    const again = applying({ onApplied: ({ id }) => counted.push(id) });
    const fresh = request('once more');
    expect(await again([...batch, fresh])).toEqual([...outcomes, applied('created')]);
    expect(counted).toEqual([fresh.id]);
  });

  it('leaves a mark that says what became of each request, for as long as its workspace wants', async () => {
    const sent = request('marked');
    await apply([sent]);
    const mark = await store.requests.findOne({ _id: sent.id });
    const { id: _id, ws, op, at } = sent;
    expect(mark).toMatchObject({ _id, ws, op, at, state: 'applied', entries: { external_ids: ['created'] } });
    const days = ((mark?.expires.getTime() ?? 0) - (mark?.applied.getTime() ?? 0)) / (24 * 3600 * 1000);
    expect(days).toBe(7);
  });

  it('is written as a whole or not at all', async () => {
    const [sent, seen] = [request('whole'), jest.fn()];
    const failing = applying(
      { onApplied: seen },
      {
        committed: seen,
        async writeRows() {
          throw new Error('no rows');
        },
      },
    );
    await expect(failing([sent])).rejects.toThrow('no rows');
    expect(seen).not.toHaveBeenCalled();
    expect(await keeperOf('whole')).toBeUndefined();
    expect(await store.outcomes.read('demo', sent.id)).toBeUndefined();
  });

  it('that several workers apply at once is applied once, and they are told of conflicts', async () => {
    const batch = Array.from({ length: 20 }, (_, n) => request(`shared-${n}`, `shared-${n + 1}`));
    const conflicts = jest.fn();
    const all = await Promise.all(
      Array.from({ length: 4 }, () => applying({ onConflict: conflicts })(batch)),
    );
    for (const outcomes of all) expect(outcomes).toEqual(all[0]);
    expect(await store.identities.countDocuments({ _id: /^demo:e:shared-/ })).toBe(21);
    expect(conflicts).toHaveBeenCalled();
  });

  it('that is more than fits is applied in part, and the rest has no outcome yet', async () => {
    const limits = { ordinary: 100, large: 100, wholeUpTo: 10, mostPieces: 1 };
    const batch = [request('large-1'), request('large-2')];
    const loading = applying(
      { inPieces: createInPieces({ limits }) },
      {
        async load(_session, requests, budget) {
          for (const { origin } of requests) budget.take(origin.ws, 80);
          return new Map();
        },
      },
    );
    expect(await loading(batch)).toEqual([applied('created'), undefined]);
    expect(await keeperOf('large-2')).toBeUndefined();
    expect(await loading(batch.slice(1))).toEqual([applied('created')]);
  });
});
