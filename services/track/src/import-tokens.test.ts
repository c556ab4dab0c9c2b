import type { AttributeEntry } from '@roster/contract';
import { tokenKey } from '@roster/profile';
import { useTrack } from './testbed.ts';

const { store, apply, track, ...bed } = useTrack();

const imported = (tokens: string[], more: AttributeEntry = {}): AttributeEntry => ({
  push_token_import: true,
  push_tokens: tokens.map((token) => ({ app_id: 'web', token })),
  ...more,
});
const holdersOf = (token: string, ws = 'demo') =>
  store.profiles.find({ ws, token_keys: tokenKey('web', token) }).toArray();

describe('an import of push tokens', () => {
  it('creates an anonymous person, with a device id that is the same when it is applied again', async () => {
    const token = bed.uniqueId();
    const sent = bed.attributes(imported([token]));
    expect((await apply([sent]))[0]?.entries).toEqual({ attributes: ['created'] });
    const [holder, ...others] = await holdersOf(token);
    expect(others).toEqual([]);
    expect(holder).not.toHaveProperty('external_id');
    const device = holder?.device_keys?.[0] ?? '';
    expect(device).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

    await store.profiles.deleteOne({ _id: holder?._id ?? '' });
    await store.requests.deleteOne({ _id: sent.id });
    await apply([sent]);
    expect(await holdersOf(token)).toEqual([holder]);
  });

  it('is ignored when a person has the token', async () => {
    const [one, other] = [bed.uniqueId(), bed.uniqueId()];
    await track({ external_id: one, push_tokens: [{ app_id: 'web', token: one }] });
    await track(imported([other]));
    expect(await track(imported([one]), imported([other]), imported([one, other]))).toEqual(
      Array(3).fill('ignored:token_known'),
    );
    expect(await holdersOf(one)).toHaveLength(1);
    expect(await holdersOf(other)).toHaveLength(1);
  });

  it('knows a token by its app, whether that is called `app_id` or, as it is exported, `app`', async () => {
    const token = bed.uniqueId();
    const exported = { push_token_import: true, push_tokens: [{ app: 'web', token }] };
    expect(await track(exported, imported([token]), exported)).toEqual([
      'created',
      'ignored:token_known',
      'ignored:token_known',
    ]);
    expect(await track(exported)).toEqual(['ignored:token_known']);
    expect(await holdersOf(token)).toHaveLength(1);
    await track({ external_id: token, push_tokens: [{ app: 'web', token: `${token}b` }] });
    expect(await track({ ...exported, push_tokens: [{ app: 'web', token: `${token}b` }] })).toEqual([
      'ignored:token_known',
    ]);
  });

  it('gives unknown tokens to a new person, and names the known ones', async () => {
    const [known, unknown] = [bed.uniqueId(), bed.uniqueId()];
    await track(imported([known]));
    const [outcome] = await apply([bed.attributes(imported([known, unknown]))]);
    expect(outcome).toMatchObject({
      entries: { attributes: ['created'] },
      notes: [{ input_array: 'attributes', index: 0, field: 'push_tokens', reason: 'token_known' }],
    });
    const [holder] = await holdersOf(unknown);
    expect(holder?.token_keys).toEqual([tokenKey('web', unknown)]);
    expect(await holdersOf(known)).toHaveLength(1);
  });

  it('of one token by many at once makes one person', async () => {
    const token = bed.uniqueId();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => apply([bed.attributes(imported([token, bed.uniqueId()]))])),
    );
    expect(await holdersOf(token)).toHaveLength(1);
    expect(outcomes.flat().map((one) => one?.entries.attributes?.[0])).toEqual(Array(8).fill('created'));

    const once = bed.uniqueId();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => apply([bed.attributes(imported([once]), imported([once]))])),
    );
    expect(await holdersOf(once)).toHaveLength(1);
    const created = all.flat().flatMap((one) => one?.entries.attributes ?? []);
    expect(created.filter((result) => result === 'created')).toHaveLength(1);
  });

  it('with an alias or email is about that person', async () => {
    const [token, email] = [bed.uniqueId(), `${bed.uniqueId()}@b.co`];
    expect(await track(imported([token], { email }))).toEqual(['created']);
    expect((await holdersOf(token)).map(({ email_key }) => email_key)).toEqual([email]);
  });

  it('creates no person in an update-only entry, and knows no person of another workspace', async () => {
    const token = bed.uniqueId();
    expect(await track(imported([token], { _update_existing_only: true }))).toEqual(['ignored:no_such_user']);
    await apply([bed.request({ attributes: [imported([token])] }, { ws: 'other' })]);
    expect(await track(imported([token]))).toEqual(['created']);
  });
});
