/** The values that are lost when `identify` gives a part of a person to another. */
import { type ListName, listNames, type Profile } from '../profile.ts';
import { aliasesLeft, isSame, keysOf, type LeftBehind, listsCut } from './left-behind.ts';

const fieldsOf = ({ fields, custom }: Profile): string[] => [
  ...Object.entries(fields).flatMap(([name, field]) => (field && field.v !== null ? [name] : [])),
  ...custom.filter(({ v }) => v !== null).map(({ k }) => k),
];

/** In an `identify` without a merge, which takes over aliases and the lists named here. */
export const leftInIdentify = (
  identified: Profile,
  other: Profile,
  joined: Profile,
  taken: readonly ListName[],
): LeftBehind[] => {
  const lists = listNames.filter((name) => !taken.includes(name) && keysOf(other, name).length > 0);
  const cut = listsCut(identified, other, joined).filter(
    ({ field }) => !lists.some((name) => name === field),
  );
  const isTaken = (field: string): boolean =>
    (field === 'email' || field === 'phone') &&
    isSame(joined.fields[field]?.v ?? null, other.fields[field]?.v ?? null);
  return [
    ...aliasesLeft(other, joined),
    ...[...fieldsOf(other).filter((field) => !isTaken(field)), ...lists].map(
      (field): LeftBehind => ({ field, reason: 'not_merged' }),
    ),
    ...cut,
  ];
};
