import { tokenKey } from '@roster/profile';
import { useTrack } from './testbed.ts';

const { store, apply, track, ...bed } = useTrack();

const withToken = (external_id: string, ...tokens: string[]) => ({
  external_id,
  push_tokens: tokens.map((token) => ({ app_id: 'web', token })),
});

const ownersOf = async (token: string) => {
  const found = await store.profiles.find({ token_keys: tokenKey('web', token) }).toArray();
  return found.map(({ external_id }) => external_id);
};

describe('a push token that comes with another person', () => {
  it('leaves the first one, who keeps the others', async () => {
    const [one, two, token, own] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    await track(withToken(one, token, own));
    await track(withToken(two, token));
    expect(await ownersOf(token)).toEqual([two]);
    expect(await ownersOf(own)).toEqual([one]);
    const { lists, device_keys } = await bed.profileOf(one);
    expect(lists.push_tokens?.items.map(({ v }) => v.token)).toEqual([own]);
    expect(device_keys).toHaveLength(1);
    await track(withToken(one, token));
    expect(await ownersOf(token)).toEqual([one]);
    const left = await bed.profileOf(two);
    expect(left).not.toHaveProperty('token_keys');
    expect(left).not.toHaveProperty('device_keys');
  });

  it('in the same request, and in the same batch, belongs to the later one', async () => {
    const [one, two, three, token] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    await track(withToken(one, token), withToken(two, token));
    expect(await ownersOf(token)).toEqual([two]);
    await apply([bed.attributes(withToken(one, token)), bed.attributes(withToken(three, token))]);
    expect(await ownersOf(token)).toEqual([three]);
  });

  it('and is applied late, stays with the person who sent it later', async () => {
    const [one, two, token] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    const early = bed.attributes(withToken(one, token));
    await track(withToken(two, token));
    await apply([early]);
    expect(await ownersOf(token)).toEqual([two]);
  });

  it('at the same time has one owner, the later one, in each of 20 races', async () => {
    const races = Array.from({ length: 20 }, () => ({ token: bed.uniqueId(), last: bed.uniqueId() }));
    const requests = races.flatMap(({ token, last }) => [
      bed.attributes(withToken(bed.uniqueId(), token)),
      bed.attributes(withToken(last, token)),
    ]);
    await Promise.all(requests.map((request) => apply([request])));
    for (const { token, last } of races) expect(await ownersOf(token)).toEqual([last]);
  });

  it('in another app, or another workspace, is another token', async () => {
    const [one, two, token] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    await track(withToken(one, token));
    await track({ external_id: two, push_tokens: [{ app_id: 'ios', token }] });
    expect(await ownersOf(token)).toEqual([one]);
  });
});
