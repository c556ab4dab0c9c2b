import { createWorldInMemory } from '@roster/testkit';

type World = ReturnType<typeof createWorldInMemory>;
const byId = (id: string) => ({ who: { by: 'external_id' as const, id } });
const merge = (world: World, at: number, away: string, kept: string): void =>
  world.identity(at, { do: 'merge', away: byId(away), kept: byId(kept) });
const said = (email_subscribe: string) => ({
  email_subscribe,
  push_subscribe: email_subscribe,
  subscription_groups: [
    { subscription_group_id: 'news', subscription_state: email_subscribe },
    { subscription_group_id: 'texts', subscription_state: email_subscribe },
  ],
});

const othersUnsubscribed = {
  push: 'unsubscribed',
  'group:news': 'unsubscribed',
  'sms:texts': 'unsubscribed',
};

describe('consent in a merge', () => {
  it.each([
    [
      'is never raised: the kept person keeps contact and state',
      { email: 'k@x.co', ...said('unsubscribed') },
      { email: 'a@x.co', ...said('opted_in') },
      { ...othersUnsubscribed, email: 'unsubscribed' },
      'opted_in',
    ],
    [
      'stays unknown for a contact without a statement, also when the other person made one',
      { email: 'k@x.co' },
      { email: 'a@x.co', email_subscribe: 'opted_in' },
      {},
      'opted_in',
    ],
    [
      'comes over with the contact that the kept person lacks',
      { email_subscribe: 'opted_in' },
      { email: 'a@x.co', email_subscribe: 'unsubscribed' },
      { email: 'unsubscribed' },
      'unsubscribed',
    ],
    [
      'of neither with a contact: what the kept person lacks comes over',
      { email_subscribe: 'opted_in' },
      said('unsubscribed'),
      { ...othersUnsubscribed, email: 'opted_in' },
      undefined,
    ],
  ])('%s', (_, kept, away, states, ofContact) => {
    const world = createWorldInMemory();
    world.track(1, { external_id: 'k', ...kept });
    world.track(2, { external_id: 'a', ...away });
    merge(world, 3, 'a', 'k');
    expect(world.statesOf(byId('k').who)).toEqual(states);
    expect(world.stateOfContact('email', 'a@x.co', 'email')).toBe(ofContact);
  });

  it.each([true, false])('comes over with the contact by identify, merging: %p', (merges) => {
    const world = createWorldInMemory();
    world.track(1, { external_id: 'k', first_name: 'K' });
    world.track(2, { email: 'a@x.co', first_name: 'A' });
    world.subscribe(3, {
      array: 'emails',
      name: 'a@x.co',
      group: 'news',
      state: 'unsubscribed',
      channel: 'email',
    });
    const named = {
      who: { by: 'email' as const, email: 'a@x.co' },
      prioritization: ['unidentified' as const],
    };
    world.identity(4, { do: 'identify', external_id: 'k', named, merges });
    expect(world.statesOf(byId('k').who)).toEqual({ 'group:news': 'unsubscribed' });
  });
});

describe('a statement made while a merge waits', () => {
  const visitor = { user_alias: { alias_label: 'web', alias_name: 'v' } };
  const byAlias = { who: { by: 'user_alias' as const, label: 'web', name: 'v' } };
  const identify = (world: World, at: number, merges: boolean): void =>
    world.identity(at, { do: 'identify', external_id: 'k', named: byAlias, merges });
  const later = () => 100;

  it.each([true, false])('comes over when it was applied before, merging: %p', (merges) => {
    const world = createWorldInMemory(later);
    world.track(1, { external_id: 'k' });
    world.track(4, { ...visitor, _update_existing_only: false, ...said('unsubscribed') });
    identify(world, 3, merges);
    expect(world.statesOf(byId('k').who)).toEqual({ ...othersUnsubscribed, email: 'unsubscribed' });
  });

  it.each([true, false])('comes over when it is applied after, with its contact, merging: %p', (merges) => {
    const world = createWorldInMemory(later);
    world.track(1, { external_id: 'k' });
    world.track(2, { ...visitor, _update_existing_only: false, first_name: 'V' });
    identify(world, 3, merges);
    world.track(4, {
      ...visitor,
      email: 'v@x.co',
      email_subscribe: 'unsubscribed',
      push_subscribe: 'subscribed',
    });
    expect(world.statesOf(byId('k').who)).toEqual({ email: 'unsubscribed', push: 'subscribed' });
    expect(world.emailOf(byId('k').who)).toBe('v@x.co');
    expect(world.stateOfContact('email', 'v@x.co', 'email')).toBe('unsubscribed');
  });
});
