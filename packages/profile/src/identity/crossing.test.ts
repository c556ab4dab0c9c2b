/** Changes of contacts that cross a merge or `identify` which names people by contacts: the result is that of one order. */
import { createWorldInMemory } from '@roster/testkit';
import type { Preference } from '../find/prioritize.ts';
import type { Value } from '../profile.ts';

const ada = { external_id: 'ada' };
const kay = { external_id: 'kay' };
const visitor = { user_alias: { alias_label: 'web', alias_name: 'v' } };
const email = 'x@x.co';
const phone = '+14155550100';

const byId = (id: string) => ({ who: { by: 'external_id' as const, id } });
const thePhone = { by: 'phone' as const, phone };
const theEmail = { by: 'email' as const, email };
const byPhone = (...prioritization: Preference[]) => ({ who: thePhone, prioritization });
const byEmail = (...prioritization: Preference[]) => ({ who: theEmail, prioritization });

/** Everything is applied a while after it was accepted. */
const createWorld = (...people: { [name: string]: Value }[]) => {
  const world = createWorldInMemory((at) => at + 100);
  for (const [place, one] of people.entries())
    world.track(1 + place, { _update_existing_only: false, ...one });
  return world;
};

const seen = ({ profiles }: ReturnType<typeof createWorld>) =>
  [...profiles.values()]
    .map(({ external_id, email_key, phone_key, custom }) => ({
      external_id,
      email: email_key,
      phone: phone_key,
      plan: custom.find(({ k }) => k === 'plan')?.v,
    }))
    .toSorted((a, b) => String(a.external_id).localeCompare(String(b.external_id)));

describe('a change of contact that is applied before a merge from before it', () => {
  const changed = { ...ada, email, plan: 'later' };

  it('is merged with its person when the merged-away person got the contact that names the kept one', () => {
    const world = createWorld({ ...kay, email }, { ...ada, phone });
    world.track(60, changed);
    world.identity(50, { do: 'merge', away: byPhone('identified'), kept: byEmail('identified') });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, phone, plan: 'later' }]);
  });

  it('is merged with its person when the kept person got the contact that names the other one', () => {
    const world = createWorld({ ...kay }, { ...ada, email, plan: 'own' });
    world.track(60, { ...kay, email });
    world.identity(50, { do: 'merge', away: byEmail('identified'), kept: byId('kay') });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, plan: 'own' }]);
  });

  it('leaves the merge alone when a third person got the contact', () => {
    const world = createWorld({ ...kay, email }, { ...ada, phone });
    world.track(60, { external_id: 'eve', email });
    world.identity(50, { do: 'merge', away: byPhone('identified'), kept: byEmail('identified') });
    expect(seen(world)).toEqual([
      { external_id: 'eve', email },
      { external_id: 'kay', email, phone },
    ]);
  });

  it('is chosen among by an identify when the identified person got the contact', () => {
    const world = createWorld({ ...kay }, { ...visitor, email, plan: 'own' });
    world.track(60, { ...kay, email });
    world.identity(50, { do: 'identify', external_id: 'kay', named: byEmail('identified'), merges: true });
    expect(seen(world)).toEqual([
      { external_id: 'kay', email },
      { email, plan: 'own' },
    ]);
  });
});

describe('a change of contact that is applied after a merge from before it', () => {
  const away = byPhone('identified', 'most_recently_updated');

  it('by an external id that the merge left to nobody is about a new person', () => {
    const world = createWorld({ ...kay, email }, { ...ada, phone });
    world.identity(50, { do: 'merge', away, kept: byId('kay') });
    world.track(60, { ...ada, phone: null, plan: 'later' });
    expect(seen(world)).toEqual([
      { external_id: 'ada', plan: 'later' },
      { external_id: 'kay', email, phone },
    ]);
  });

  it('creates nobody if it may not', () => {
    const world = createWorld({ ...kay, email }, { ...ada, phone });
    world.identity(50, { do: 'merge', away, kept: byId('kay') });
    world.track(60, { ...ada, phone: null, plan: 'later', _update_existing_only: true });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, phone }]);
  });

  it.each(['merge', 'none'])('by an alias that moved is about the kept person: %s', (behaviour) => {
    const world = createWorld({ ...kay, email }, { ...visitor, phone });
    const merges = behaviour === 'merge';
    world.identity(50, { do: 'identify', external_id: 'kay', named: byPhone('unidentified'), merges });
    world.track(60, { ...visitor, phone: null, plan: 'later' });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, plan: 'later' }]);
  });

  it('by an alias that was renamed since is about the kept person too', () => {
    const world = createWorld({ ...kay, email }, { ...visitor, phone });
    world.identity(50, { do: 'merge', away: byPhone('unidentified'), kept: byId('kay') });
    world.identity(70, { do: 'alias_update', label: 'web', from: 'v', to: 'w' });
    world.track(60, { ...visitor, phone: null, plan: 'later' });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, plan: 'later' }]);
  });

  it('accepted before the merge is a change of the merged-away person', () => {
    const world = createWorld({ ...kay, email, plan: 'own' }, { ...ada, phone });
    world.identity(50, { do: 'merge', away, kept: byId('kay') });
    world.track(40, { ...ada, phone: '+14155550199', plan: 'late' });
    expect(seen(world)).toEqual([{ external_id: 'kay', email, phone: '+14155550199', plan: 'own' }]);
  });
});

describe('a merge by a contact that another merge moves', () => {
  it('finds the person who took it over, though it was accepted before', () => {
    const world = createWorld({ ...kay }, { ...visitor, email }, { ...ada });
    world.identity(60, { do: 'merge', away: byEmail('unidentified'), kept: byId('kay') });
    world.identity(50, { do: 'merge', away: byId('ada'), kept: byEmail('identified') });
    expect(seen(world)).toEqual([{ external_id: 'kay', email }]);
  });

  it('does not find a person who got it by a request of their own', () => {
    const world = createWorld({ ...kay }, { ...ada });
    world.track(60, { ...kay, email });
    world.identity(50, { do: 'merge', away: byId('ada'), kept: byEmail('identified') });
    expect(seen(world)).toEqual([{ external_id: 'ada' }, { external_id: 'kay', email }]);
  });
});
