/** What one service says about who people are, as the others see it: the same MongoDB, each request applied when the test says so. */
import type { AcceptedRequest, OperationId } from '@roster/contract';
import { handlers } from '@roster/export-service';
import { tokenKey } from '@roster/profile';
import { useApplying } from './applying.ts';

jest.setTimeout(60_000);

const { store, newId, accept, apply, storedOf } = useApplying();
const secret = 'a secret of this test';

/** Accepted and applied. */
const send = (op: OperationId, body: object): Promise<unknown> => apply(accept(op, body));
const track = (...attributes: object[]) => send('users.track', { attributes });
const event = (who: object) => ({ ...who, name: 'seen', time: '2026-01-01' });
const web = (alias_name: string) => ({ alias_label: 'web', alias_name });

describe('a deprecated external id', () => {
  it('leads to the person everywhere', async () => {
    const [old, ada, other] = [newId(), newId(), newId()];
    await track({ external_id: old, first_name: 'Ada' }, { external_id: other, last_name: 'Byron' });
    await send('users.external_ids.rename', {
      external_id_renames: [{ current_external_id: old, new_external_id: ada }],
    });
    expect(await track({ external_id: old, home_city: 'London' })).toEqual({ attributes: ['updated'] });
    expect(await send('users.track', { events: [event({ external_id: old })] })).toEqual({
      events: ['updated'],
    });

    const news = { subscription_group_id: 'demo-news', subscription_state: 'subscribed' };
    expect(await send('subscription.status.set', { ...news, external_id: old })).toEqual({
      external_ids: ['updated'],
    });
    const query = { subscription_group_id: 'demo-news', external_id: [old, ada] };
    const asked: AcceptedRequest = {
      id: 'r1',
      ws: 'demo',
      op: 'subscription.status.get',
      at: Number.MAX_SAFE_INTEGER,
      query,
    };
    const answer = await handlers['subscription.status.get'].answer(asked, { store, secret, loaded() {} });
    expect(JSON.parse(String(answer?.body)).status).toEqual({ [old]: 'Subscribed', [ada]: 'Subscribed' });

    const alias = { external_id: old, ...web(ada) };
    expect(await send('users.alias.new', { user_aliases: [alias] })).toEqual({ user_aliases: ['updated'] });
    const into = { identifier_to_merge: { external_id: other }, identifier_to_keep: { external_id: old } };
    expect(await send('users.merge', { merge_updates: [into] })).toEqual({ merge_updates: ['updated'] });
    const person = await storedOf(ada);
    expect(person).toMatchObject({
      external_id: ada,
      former_ids: [old],
      aliases: [{ label: 'web', name: ada }],
      fields: { first_name: { v: 'Ada' }, home_city: { v: 'London' }, last_name: { v: 'Byron' } },
    });
    expect(await store.events.count([person._id])).toBe(1);
  });
});

describe('a dead letter that is retried', () => {
  it('is dropped when it is about an alias of which nothing else was taken over', async () => {
    const [ada, name] = [newId(), newId()];
    await track({ external_id: ada });
    await send('users.alias.new', { user_aliases: [web(name)] });
    const late = accept('users.track', {
      attributes: [{ user_alias: web(name), first_name: 'Anon' }],
      events: [event({ user_alias: web(name) })],
    });
    await send('users.identify', {
      aliases_to_identify: [{ external_id: ada, user_alias: web(name) }],
      merge_behavior: 'none',
    });
    expect(await apply(late)).toEqual({ attributes: ['ignored:deleted'], events: ['ignored:deleted'] });
    expect(await track({ user_alias: web(name), first_name: 'Ada' })).toEqual({ attributes: ['updated'] });
    expect((await storedOf(ada)).fields.first_name?.v).toBe('Ada');
  });

  it('leaves what the kept person had of their own, though they took over the external id', async () => {
    const [ada, name] = [newId(), newId()];
    await track(
      { user_alias: web(name), _update_existing_only: false, first_name: 'Kay' },
      { external_id: ada },
    );
    const late = accept('users.track', {
      attributes: [{ external_id: ada, first_name: 'Ada', last_name: 'Byron' }],
    });
    const into = { identifier_to_merge: { external_id: ada }, identifier_to_keep: { user_alias: web(name) } };
    await send('users.merge', { merge_updates: [into] });
    expect(await apply(late)).toEqual({ attributes: ['updated'] });
    expect((await storedOf(ada)).fields).toMatchObject({
      first_name: { v: 'Kay' },
      last_name: { v: 'Byron' },
    });
  });

  it('imports no push token of a person who was deleted since', async () => {
    const [ada, token] = [newId(), newId()];
    const push_tokens = [{ app_id: 'app', token }];
    await track({ external_id: ada, push_tokens });
    const late = accept('users.track', { attributes: [{ push_token_import: true, push_tokens }] });
    await send('users.delete', { external_ids: [ada] });
    expect(await apply(late)).toEqual({ attributes: ['ignored:deleted'] });
    expect(await store.profiles.countDocuments({ token_keys: tokenKey('app', token) })).toBe(0);
    // Accepted after the deletion: a new person.
    expect(await track({ push_token_import: true, push_tokens })).toEqual({ attributes: ['created'] });
  });
});
