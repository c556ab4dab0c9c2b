/** For the laws of consent: three people and three emails, and the requests that all laws send. */
import type { createWorldInMemory } from './consent-world.ts';

export const people = ['ann', 'ben', 'eva'] as const;
export const emails = ['x@x.co', 'y@x.co', 'z@x.co'] as const;
export type PersonName = (typeof people)[number];
export type Email = (typeof emails)[number];
export type CastState = 'subscribed' | 'unsubscribed';
export type CastWorld = ReturnType<typeof createWorldInMemory>;

/** Eva has an alias only, so an identify can give her to another person. */
export const identifierOf = (who: PersonName) =>
  who === 'eva' ? { user_alias: { alias_label: 'web', alias_name: who } } : { external_id: who };

export const named = (who: PersonName) => ({
  who:
    who === 'eva'
      ? { by: 'user_alias' as const, label: 'web', name: who }
      : { by: 'external_id' as const, id: who },
});

export const sayOfContact = (
  world: CastWorld,
  at: number,
  { email, state }: { email: Email; state: CastState },
) => world.subscribe(at, { array: 'emails', name: email, group: 'news', state, channel: 'email' });

export const say = (state: CastState) => [{ subscription_group_id: 'news', subscription_state: state }];

/** Eva is identified, all others are merged. `only`: an identify without a merge. */
export const playMerge = (
  world: CastWorld,
  at: number,
  { who, into, only }: { who: PersonName; into: PersonName; only: boolean },
): void => {
  if (who === 'eva')
    world.identity(at, { do: 'identify', external_id: into, named: named('eva'), merges: !only });
  else world.identity(at, { do: 'merge', away: named(who), kept: named(into) });
};
