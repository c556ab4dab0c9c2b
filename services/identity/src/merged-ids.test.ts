/** The identifiers of a merged-away profile: external ids lead to no person, service ids to the kept profile. */
import type { Applied } from './apply.ts';
import { mergeRequest, merging, request, uniqueId, useIdentity } from './testbed.ts';

const { store, apply, person, claimOf, ...bed } = useIdentity();

const entriesOf = (found: Applied | undefined): string[] => Object.values(found?.entries ?? {}).flat();
const send = async (...sent: Parameters<typeof request>): Promise<string[]> =>
  Object.values(await bed.send(...sent)).flat();

const merge = (away: string, kept: string) => send('users.merge', { merge_updates: [merging(away, kept)] });
const rename = (from: string, to: string) =>
  send('users.external_ids.rename', {
    external_id_renames: [{ current_external_id: from, new_external_id: to }],
  });
const deleteBy = (list: 'service_ids' | 'external_ids', ...ids: string[]) =>
  send('users.delete', { [list]: ids });

const isThere = async (_id: string): Promise<boolean> => (await store.profiles.findOne({ _id })) !== null;

describe('external ids after a merge', () => {
  it('primary and deprecated, lead to no person: a delete by them finds none, and a track creates a new person', async () => {
    const [kept, away] = [uniqueId(), uniqueId()];
    const { _id } = await person({ external_id: kept });
    await person({ external_id: `${away}-1` });
    await rename(`${away}-1`, `${away}-2`);
    await rename(`${away}-2`, away);
    expect(await merge(away, kept)).toEqual(['updated']);
    const lost = [away, `${away}-1`, `${away}-2`];
    expect(await Promise.all(lost.map(claimOf))).toEqual([undefined, undefined, undefined]);
    expect(await deleteBy('external_ids', ...lost)).toEqual(lost.map(() => 'ignored:no_such_user'));
    expect(await isThere(_id)).toBe(true);
    expect((await store.profiles.findOne({ _id }))?.former_ids).toBeUndefined();
  });

  it('of the kept profile stay, deprecated ones too', async () => {
    const [kept, away] = [uniqueId(), uniqueId()];
    const { _id } = await person({ external_id: `${kept}-1` });
    await rename(`${kept}-1`, kept);
    await person({ external_id: away });
    await merge(away, kept);
    expect(await Promise.all([kept, `${kept}-1`].map(claimOf))).toEqual([_id, _id]);
  });
});

describe('a delete by the service id of a merged-away profile', () => {
  it('is ignored, with its reason', async () => {
    const [kept, away] = [uniqueId(), uniqueId()];
    const { _id } = await person({ external_id: kept });
    const gone = await person({ external_id: away });
    await merge(away, kept);
    const sent = await deleteBy('service_ids', gone._id, 'never-given');
    expect(sent).toEqual(['ignored:merged', 'ignored:no_such_user']);
    expect(await isThere(_id)).toBe(true);
  });

  it('is ignored in the batch of the merge too, through a chain; and finds no person once the kept person is deleted', async () => {
    const [a, b, c] = [uniqueId(), uniqueId(), uniqueId()];
    const first = await person({ external_id: a });
    const second = await person({ external_id: b });
    await person({ external_id: c });
    const by = (id: string) => request('users.delete', { service_ids: [id] });
    const found = await apply([
      mergeRequest([a, b]),
      by(first._id),
      mergeRequest([b, c]),
      by(first._id),
      by(second._id),
      request('users.delete', { external_ids: [c] }),
      by(first._id),
    ]);
    expect(found.map((one) => entriesOf(one)[0])).toEqual([
      ...['updated', 'ignored:merged', 'updated', 'ignored:merged', 'ignored:merged'],
      ...['updated', 'ignored:no_such_user'],
    ]);
    expect(await deleteBy('service_ids', first._id)).toEqual(['ignored:no_such_user']);
  });

  it('tells another workspace nothing', async () => {
    const [kept, away] = [uniqueId(), uniqueId()];
    await person({ external_id: kept });
    const gone = await person({ external_id: away });
    await merge(away, kept);
    const elsewhere = { ...request('users.delete', { service_ids: [gone._id] }), ws: 'other' };
    expect(entriesOf((await apply([elsewhere]))[0])).toEqual(['ignored:no_such_user']);
  });
});
