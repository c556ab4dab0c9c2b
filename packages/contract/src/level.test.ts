import { isKnown, level, needsOf } from './level.ts';
import { operations } from './operations/index.ts';

const added = [
  { level: 2, op: 'users.track', member: 'attributes.nickname' },
  { level: 3, op: 'users.track', member: 'purchases.tax.rate' },
  { level: 2, op: 'users.merge' },
  { level: 2, op: 'users.export.ids', member: 'fields_to_export.nickname' },
] as const;

it.each([
  ['a request that every version knows', 'users.track', { attributes: [{ email: 'a' }, {}] }, undefined],
  ['a member of one of its entries', 'users.track', { attributes: [{}, { nickname: null }] }, 2],
  [
    'the highest of several',
    'users.track',
    { attributes: [{ nickname: '' }], purchases: [{ tax: { rate: 0 } }] },
    3,
  ],
  [
    'the name at another place',
    'users.track',
    { attributes: [{ tax: { rate: 0 } }], nickname: 1 },
    undefined,
  ],
  ['what an object inherits', 'users.track', { attributes: [Object.create({ nickname: 1 })] }, undefined],
  ['a text in a list', 'users.export.ids', { fields_to_export: ['email', 'nickname'] }, 2],
  ['a text that only begins like it', 'users.export.ids', { fields_to_export: ['nicknames'] }, undefined],
  ['an operation, whatever it holds', 'users.merge', undefined, 2],
  ['another operation', 'users.delete', { attributes: [{ nickname: 1 }] }, undefined],
] as const)('the level of %s', (_, op, body, wanted) => {
  expect(needsOf(op, body, added)).toBe(wanted);
});

it('knows every operation of its own, up to its own level', () => {
  expect(operations.filter(({ id }) => !isKnown(id, level))).toEqual([]);
  expect([isKnown('users.dance'), isKnown('users.track', level + 1)]).toEqual([false, false]);
});
