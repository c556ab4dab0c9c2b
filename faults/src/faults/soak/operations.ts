// Forty people who are never deleted, so that nothing of them may be missing, and ten to whom everything happens. They never meet.
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

const sizes: Record<Group, number> = { k: 40, g: 10 };
const labels = ['mail', 'web'] as const;

const often = (dice: Dice, timesInTen: number): boolean => dice.below(10) < timesInTen;

const idIn = (dice: Dice, group: Group): string => `${group}${dice.below(sizes[group])}`;
/** One that a rename gave, perhaps. */
const laterIdIn = (dice: Dice, group: Group): string => `${idIn(dice, group)}-${dice.below(3)}`;
const anyIdIn = (dice: Dice, group: Group): string =>
  often(dice, 9) ? idIn(dice, group) : laterIdIn(dice, group);
const aliasIn = (dice: Dice, group: Group) =>
  aliasOf(labels[dice.below(labels.length)] ?? 'web', `${group}-name-${dice.below(sizes[group])}`);
const emailIn = (dice: Dice, group: Group): string => `${group}-${dice.below(sizes[group])}@example.com`;

const anybody = (dice: Dice, group: Group) =>
  often(dice, 7) ? ext(anyIdIn(dice, group)) : aliasIn(dice, group);
const byAddress = (dice: Dice, group: Group) => ({
  email: emailIn(dice, group),
  prioritization: ['identified', 'most_recently_updated'],
});

const keyIn = (who: Who): string | undefined => {
  if ('external_id' in who) return keyOf.ext(who.external_id);
  return 'user_alias' in who ? keyOf.alias(who.user_alias.alias_label, who.user_alias.alias_name) : undefined;
};

const track = (dice: Dice, group: Group, n: number): Draft => {
  const token = `${group}-token-${n}`;
  const who: Who = often(dice, 1) ? { email: emailIn(dice, group) } : anybody(dice, group);
  const body = happening(who, token);
  if (!('email' in who) && often(dice, 2))
    Object.assign(body.attributes[0] ?? {}, { email: emailIn(dice, group) });
  const key = keyIn(who);
  return { path: '/users/track', body, happening: { token, group, ...(key !== undefined && { key }) } };
};

const newAlias = (dice: Dice, group: Group): Draft => {
  const { user_alias } = aliasIn(dice, group);
  const owner = often(dice, 6) ? { external_id: anyIdIn(dice, group) } : {};
  return { path: '/users/alias/new', body: { user_aliases: [{ ...user_alias, ...owner }] } };
};

const updateAlias = (dice: Dice, group: Group): Draft => {
  const [from, to] = [aliasIn(dice, group), aliasIn(dice, group)];
  const pair = [from.user_alias.alias_name, to.user_alias.alias_name] as const;
  return { path: '/users/alias/update', body: renamingAliases(from.user_alias.alias_label, pair) };
};

/** With `none` what happened to the visitor is gone. */
const identify = (dice: Dice, group: Group): Draft => {
  const behaviour = group === 'g' && often(dice, 5) ? 'none' : 'merge';
  return {
    path: '/users/identify',
    body: identifying(behaviour, [aliasIn(dice, group), anyIdIn(dice, group)]),
  };
};

const merge = (dice: Dice, group: Group): Draft => {
  const side = () => (often(dice, 8) ? anybody(dice, group) : byAddress(dice, group));
  const pairs = Array.from({ length: 1 + dice.below(3) }, () => [side(), side()] as const);
  return { path: '/users/merge', body: merging(...pairs) };
};

const rename = (dice: Dice, group: Group): Draft => ({
  path: '/users/external_ids/rename',
  body: renaming(idIn(dice, group), laterIdIn(dice, group)),
});

const removeId = (dice: Dice, group: Group): Draft => ({
  path: '/users/external_ids/remove',
  body: { external_ids: [anyIdIn(dice, group)] },
});

const remove = (dice: Dice): Draft => ({
  path: '/users/delete',
  body: often(dice, 7)
    ? { external_ids: [anyIdIn(dice, 'g')] }
    : often(dice, 5)
      ? { user_aliases: [aliasIn(dice, 'g').user_alias] }
      : { email_addresses: [byAddress(dice, 'g')] },
});

/** How often each is drawn, of all together. */
const makers: readonly (readonly [weight: number, make: (dice: Dice, group: Group, n: number) => Draft])[] = [
  [60, track],
  [8, newAlias],
  [4, updateAlias],
  [8, identify],
  [12, merge],
  [3, rename],
  [2, removeId],
];

const weights = makers.reduce((sum, [weight]) => sum + weight, 0);

const drawn = (dice: Dice, group: Group, n: number): Draft => {
  if (group === 'g' && often(dice, 1)) return remove(dice);
  let rest = dice.below(weights);
  for (const [weight, make] of makers) {
    if (rest < weight) return make(dice, group, n);
    rest -= weight;
  }
  throw new Error('the weights do not add up');
};

export const makeOperation = (dice: Dice, n: number): Operation => {
  const group = often(dice, 7) ? 'k' : 'g';
  return { group, ...drawn(dice, group, n) };
};
