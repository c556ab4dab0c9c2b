/** People who do not exist. Person number n of a seed is always the same one. */
import type { JsonObject } from '../json.ts';
import { type Chance, chanceOf } from './random.ts';
import { categories, namesIn, type Place, places } from './words.ts';

/** How a person is known; most have an account. */
export type Kind = 'account' | 'alias' | 'email';

const visitorsFrom = 0.92;
const emailOnlyFrom = 0.96;

const kindOf = (index: number, chance: Chance): Kind => {
  const dice = chance.next();
  if (index === 0 || dice < visitorsFrom) return 'account';
  return dice < emailOnlyFrom ? 'alias' : 'email';
};

/** `Inès Moreau` in the form of an email. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

const phoneOf = ({ phone }: Place, chance: Chance): string | undefined =>
  phone?.replace(/#/g, () => String(chance.whole(0, 9)));

const nameOf = (place: Place, chance: Chance) => {
  const { women, men, last } = namesIn(place.language);
  const gender = chance.pick(['F', 'M']);
  return { gender, first_name: chance.pick(gender === 'F' ? women : men), last_name: chance.pick(last) };
};

const identityOf = (kind: Kind, id: string, email: string): JsonObject => {
  if (kind === 'account') return { external_id: id };
  return kind === 'email' ? { email } : { user_alias: { alias_label: 'visitor', alias_name: id } };
};

const placeAttributes = ({ city, country, language, timeZone }: Place): JsonObject => ({
  home_city: city,
  country,
  language,
  time_zone: timeZone,
});

const pad = (value: number): string => String(value).padStart(2, '0');

const accountAttributes = (name: ReturnType<typeof nameOf>, email: string, place: Place, chance: Chance) => {
  const phone = chance.happens(0.6) ? phoneOf(place, chance) : undefined;
  return {
    ...name,
    email,
    ...(phone !== undefined && { phone }),
    dob: `${chance.whole(1955, 2005)}-${pad(chance.whole(1, 12))}-${pad(chance.whole(1, 28))}`,
    ...placeAttributes(place),
    plan: chance.pick(['free', 'free', 'free', 'plus', 'plus', 'pro']),
    loyalty_points: chance.whole(0, 60) ** 2,
    push_subscribe: chance.pick(['opted_in', 'subscribed', 'subscribed', 'unsubscribed']),
  };
};

const consent = (chance: Chance): string =>
  chance.pick(['opted_in', 'opted_in', 'subscribed', 'subscribed', 'subscribed', 'unsubscribed']);

export const personOf = (seed: number, index: number) => {
  const chance = chanceOf('person', seed, index);
  const kind = kindOf(index, chance);
  const place = chance.pick(places);
  const name = nameOf(place, chance);
  const id = `demo-${seed}-${String(index + 1).padStart(4, '0')}`;
  const email = `${plain(name.first_name)}.${plain(name.last_name)}.${id.slice(5)}@example.com`;
  const favourites = chance.some(categories, chance.whole(1, 3));
  /** The identifier in their entries. */
  const identity = identityOf(kind, id, email);
  const attributes: JsonObject = {
    ...identity,
    ...(kind === 'alias' && { _update_existing_only: false, ...placeAttributes(place) }),
    ...(kind === 'account' && accountAttributes(name, email, place, chance)),
    ...(kind !== 'alias' && { email_subscribe: consent(chance) }),
    favourite_categories: favourites,
  };
  /** The share of days with a visit: few people come often, most now and then. */
  const activity = 0.02 + 0.6 * chance.next() ** 3;
  return { index, kind, identity, attributes, place, favourites, activity };
};

export type Person = ReturnType<typeof personOf>;

/** Consent to groups of the workspace. */
export const consentsOf = (seed: number, person: Person, groups: readonly string[]): JsonObject[] => {
  const chance = chanceOf('groups', seed, person.index);
  if (person.kind === 'alias') return [];
  return groups
    .filter(() => chance.happens(0.6))
    .map((group) => ({
      subscription_group_id: group,
      subscription_state: chance.happens(0.8) ? 'subscribed' : 'unsubscribed',
    }));
};
