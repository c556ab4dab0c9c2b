import { type CreateQuestion, decide } from './decide.ts';

type Row = [
  by: CreateQuestion['by'],
  kind: CreateQuestion['kind'],
  updateExistingOnly: boolean | undefined,
  what: string,
];

const unknown: Row[] = [
  ['external_id', 'attributes', undefined, 'create'],
  ['external_id', 'events', undefined, 'create'],
  ['external_id', 'purchases', false, 'create'],
  ['external_id', 'attributes', true, 'ignore'],
  ['external_id', 'events', true, 'ignore'],
  ['user_alias', 'attributes', false, 'create'],
  ['user_alias', 'attributes', undefined, 'ignore'],
  ['user_alias', 'attributes', true, 'ignore'],
  ['user_alias', 'events', false, 'ignore'],
  ['user_alias', 'purchases', false, 'ignore'],
  ['service_id', 'attributes', false, 'ignore'],
  ['service_id', 'events', undefined, 'ignore'],
  ['email', 'attributes', undefined, 'create'],
  ['email', 'events', undefined, 'create'],
  ['email', 'events', true, 'ignore'],
  ['phone', 'purchases', undefined, 'create'],
  ['phone', 'attributes', true, 'ignore'],
];

describe('an entry about an unknown person', () => {
  it.each(unknown)('by %s in %s with _update_existing_only %s: %s', (by, kind, updateExistingOnly, what) => {
    const decision = decide({ by, kind, updateExistingOnly, exists: false });
    expect(decision).toEqual(what === 'ignore' ? { do: 'ignore', reason: 'no_such_user' } : { do: what });
  });
});

describe('an entry about a known person', () => {
  it.each(unknown)('by %s in %s with _update_existing_only %s updates', (by, kind, updateExistingOnly) => {
    expect(decide({ by, kind, updateExistingOnly, exists: true })).toEqual({ do: 'update' });
  });
});
