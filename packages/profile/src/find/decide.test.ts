import { creates, type EntryKind } from './decide.ts';

type Row = [
  by: keyof typeof creates,
  kind: EntryKind,
  updateExistingOnly: boolean | undefined,
  isCreated: boolean,
];

const unknown: Row[] = [
  ['external_id', 'attributes', undefined, true],
  ['external_id', 'events', undefined, true],
  ['external_id', 'purchases', false, true],
  ['external_id', 'attributes', true, false],
  ['external_id', 'events', true, false],
  ['user_alias', 'attributes', false, true],
  ['user_alias', 'attributes', undefined, false],
  ['user_alias', 'attributes', true, false],
  ['user_alias', 'events', false, false],
  ['user_alias', 'purchases', false, false],
  ['service_id', 'attributes', false, false],
  ['service_id', 'events', undefined, false],
  ['email', 'attributes', undefined, true],
  ['email', 'events', undefined, true],
  ['email', 'events', true, false],
  ['phone', 'purchases', undefined, true],
  ['phone', 'attributes', true, false],
  ['tokens', 'attributes', undefined, true],
  ['tokens', 'attributes', true, false],
];

describe('an entry about an unknown person', () => {
  it.each(unknown)('by %s in %s with _update_existing_only %s creates: %s', (by, kind, only, isCreated) => {
    expect(creates[by](kind, only)).toBe(isCreated);
  });
});
