import type { AcceptedRequest } from '@roster/contract';
import { type Fold, fold, groupKey } from '@roster/profile';
import { dice, shuffled } from '@roster/testkit';
import { type Apply, createApply } from './apply.ts';
import { insisting, useTrack } from './testbed.ts';
import { lastWrittenWins } from './without-protection.ts';

const { store, apply, ...bed } = useTrack();

const [people, updates, atOnce] = [4, 40, 10];

/** Fails in so many of a hundred folds, and with it the batch. */
const failing =
  (percent: number, inner: Fold): Fold =>
  (...args) => {
    if (dice() * 100 < percent) throw Object.assign(new Error('injected'), { code: 91 });
    return inner(...args);
  };

/** Batches of five, in any order, so many at a time. */
const applyAll = async (apply: Apply, requests: readonly AcceptedRequest[]): Promise<void> => {
  const mixed = shuffled(requests);
  const batches = Array.from({ length: Math.ceil(mixed.length / 5) }, (_, index) =>
    mixed.slice(index * 5, index * 5 + 5),
  );
  const worker = async (): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await insisting(apply)(batch);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const sent = (ids: readonly string[]): AcceptedRequest[] =>
  Array.from({ length: updates }, (_, last) => {
    const subscription_state = last % 2 ? 'subscribed' : 'unsubscribed';
    const subscription_groups = [{ subscription_group_id: 'news', subscription_state }];
    return ids.map((external_id) =>
      bed.attributes({ external_id, last, n: { inc: 1 }, subscription_groups }),
    );
  }).flat();

const wrongOf = async (ids: readonly string[]): Promise<string[]> => {
  const wrong: string[] = [];
  for (const id of ids) {
    const { last } = (await bed.profileOf(id)).custom_attributes;
    const consents = await bed.consentsOf(id);
    if (last !== updates - 1 || consents[groupKey('news')] !== 'subscribed') wrong.push(id);
  }
  return wrong;
};

describe('the last accepted wins, for 4 people with 40 updates each, ten batches at once', () => {
  it('though one fold in twenty fails and takes its batch with it', async () => {
    const ids = Array.from({ length: people }, bed.uniqueId);
    await applyAll(createApply({ store, fold: failing(5, fold) }), sent(ids));
    expect(await wrongOf(ids)).toEqual([]);
    for (const id of ids) expect((await bed.profileOf(id)).custom_attributes.n).toBe(updates);
  });

  it('and would not without stamps: this test would notice', async () => {
    const ids = Array.from({ length: people }, bed.uniqueId);
    await applyAll(createApply({ store, fold: failing(5, lastWrittenWins) }), sent(ids));
    expect((await wrongOf(ids)).length).toBeGreaterThan(0);
  });
});

describe('a hot person', () => {
  it('has exact sums and a small profile under concurrent updates', async () => {
    const external_id = bed.uniqueId();
    const entry = { external_id, n: { inc: 1 }, seen: { add: ['x'] } };
    const requests = Array.from({ length: 40 }, () =>
      bed.attributes(...Array.from({ length: 50 }, () => entry)),
    );
    await applyAll(apply, requests);
    await applyAll(apply, requests.slice(0, 10));
    expect((await bed.profileOf(external_id)).custom_attributes).toEqual({ n: 2000, seen: ['x'] });
    expect(JSON.stringify(await bed.storedOf(external_id)).length).toBeLessThan(64 * 1024);
  });
});
