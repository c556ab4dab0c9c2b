// Keepers are never deleted, so that none of their data may be missing; goners get every kind of request. The two groups never meet.
import type { Dice } from '../../harness/dice.ts';
import { keyOf } from '../../harness/people.ts';
import {
  aliasOf,
  ext,
  happening,
  identifying,
  merging,
  renaming,
  renamingAliases,
  type Who,
} from '../../harness/sayings.ts';

/** Keepers and goners: their names begin with it. */
export type Group = 'k' | 'g';

/** One token, and the name by which it was said. */
export interface Happening {
  token: string;
  group: Group;
  /** Absent when it was said of an email. */
  key?: string;
}

export interface Operation {
  group: Group;
  path: string;
  body: object;
  happening?: Happening;
}

export interface Done {
  group: Group;
  /** Of the request. */
  id: string;
  happening?: Happening;
}

type Draft = Omit<Operation, 'group'>;

/** How many people each group has. */
export type Sizes = Readonly<Record<Group, number>>;

interface Crowd {
  group: Group;
  size: number;
}

const labels = ['mail', 'web'] as const;

const often = (dice: Dice, timesInTen: number): boolean => dice.below(10) < timesInTen;

const idIn = (dice: Dice, { group, size }: Crowd): string => `${group}${dice.below(size)}`;
/** One that a rename gave, perhaps. */
const laterIdIn = (dice: Dice, crowd: Crowd): string => `${idIn(dice, crowd)}-${dice.below(3)}`;
const anyIdIn = (dice: Dice, crowd: Crowd): string =>
  often(dice, 9) ? idIn(dice, crowd) : laterIdIn(dice, crowd);
const aliasIn = (dice: Dice, { group, size }: Crowd) =>
  aliasOf(labels[dice.below(labels.length)] ?? 'web', `${group}-name-${dice.below(size)}`);
const emailIn = (dice: Dice, { group, size }: Crowd): string => `${group}-${dice.below(size)}@example.com`;

const anybody = (dice: Dice, crowd: Crowd) =>
  often(dice, 7) ? ext(anyIdIn(dice, crowd)) : aliasIn(dice, crowd);
const byAddress = (dice: Dice, crowd: Crowd) => ({
  email: emailIn(dice, crowd),
  prioritization: ['identified', 'most_recently_updated'],
});

const keyIn = (who: Who): string | undefined => {
  if ('external_id' in who) return keyOf.ext(who.external_id);
  return 'user_alias' in who ? keyOf.alias(who.user_alias.alias_label, who.user_alias.alias_name) : undefined;
};

const track = (dice: Dice, crowd: Crowd, n: number): Draft => {
  const token = `${crowd.group}-token-${n}`;
  const who: Who = often(dice, 1) ? { email: emailIn(dice, crowd) } : anybody(dice, crowd);
  const body = happening(who, token);
  if (!('email' in who) && often(dice, 2))
    Object.assign(body.attributes[0] ?? {}, { email: emailIn(dice, crowd) });
  const key = keyIn(who);
  return {
    path: '/users/track',
    body,
    happening: { token, group: crowd.group, ...(key !== undefined && { key }) },
  };
};

const newAlias = (dice: Dice, crowd: Crowd): Draft => {
  const { user_alias } = aliasIn(dice, crowd);
  const owner = often(dice, 6) ? { external_id: anyIdIn(dice, crowd) } : {};
  return { path: '/users/alias/new', body: { user_aliases: [{ ...user_alias, ...owner }] } };
};

const updateAlias = (dice: Dice, crowd: Crowd): Draft => {
  const [from, to] = [aliasIn(dice, crowd), aliasIn(dice, crowd)];
  const pair = [from.user_alias.alias_name, to.user_alias.alias_name] as const;
  return { path: '/users/alias/update', body: renamingAliases(from.user_alias.alias_label, pair) };
};

/** With `none` what happened to the visitor is gone. */
const identify = (dice: Dice, crowd: Crowd): Draft => {
  const behaviour = crowd.group === 'g' && often(dice, 5) ? 'none' : 'merge';
  return {
    path: '/users/identify',
    body: identifying(behaviour, [aliasIn(dice, crowd), anyIdIn(dice, crowd)]),
  };
};

const merge = (dice: Dice, crowd: Crowd): Draft => {
  const side = () => (often(dice, 8) ? anybody(dice, crowd) : byAddress(dice, crowd));
  const pairs = Array.from({ length: 1 + dice.below(3) }, () => [side(), side()] as const);
  return { path: '/users/merge', body: merging(...pairs) };
};

const rename = (dice: Dice, crowd: Crowd): Draft => ({
  path: '/users/external_ids/rename',
  body: renaming(idIn(dice, crowd), laterIdIn(dice, crowd)),
});

const removeId = (dice: Dice, crowd: Crowd): Draft => ({
  path: '/users/external_ids/remove',
  body: { external_ids: [anyIdIn(dice, crowd)] },
});

const remove = (dice: Dice, crowd: Crowd): Draft => ({
  path: '/users/delete',
  body: often(dice, 7)
    ? { external_ids: [anyIdIn(dice, crowd)] }
    : often(dice, 5)
      ? { user_aliases: [aliasIn(dice, crowd).user_alias] }
      : { email_addresses: [byAddress(dice, crowd)] },
});

/** How often each is drawn, of all together. */
const makers: readonly (readonly [weight: number, make: (dice: Dice, crowd: Crowd, n: number) => Draft])[] = [
  [60, track],
  [8, newAlias],
  [4, updateAlias],
  [8, identify],
  [12, merge],
  [3, rename],
  [2, removeId],
];

const weights = makers.reduce((sum, [weight]) => sum + weight, 0);

const drawn = (dice: Dice, crowd: Crowd, n: number): Draft => {
  if (crowd.group === 'g' && often(dice, 1)) return remove(dice, crowd);
  let rest = dice.below(weights);
  for (const [weight, make] of makers) {
    if (rest < weight) return make(dice, crowd, n);
    rest -= weight;
  }
  throw new Error('the weights do not add up');
};

export const makeOperation = (dice: Dice, n: number, sizes: Sizes): Operation => {
  const group = often(dice, 7) ? 'k' : 'g';
  return { group, ...drawn(dice, { group, size: sizes[group] }, n) };
};
