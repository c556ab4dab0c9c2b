import { inLongRuns } from '@roster/testkit';
import type { Candidate } from './candidate.ts';
import { AudienceFault } from './fault.ts';
import { mostFilters } from './limits.ts';
import { prepareAudience } from './prepare.ts';

const now = Date.parse('2026-06-15T12:00:00.000Z');

const person = (attributes: Record<string, unknown> = {}, more: Partial<Candidate> = {}): Candidate => ({
  attributes: new Map(Object.entries(attributes)),
  email: undefined,
  push: undefined,
  lastUsed: undefined,
  ...more,
});

const attribute = (comparison: string, value?: unknown) => ({
  custom_attribute: { custom_attribute_name: 'x', comparison, ...(value !== undefined && { value }) },
});

const holds = (audience: unknown, who: Candidate): boolean => prepareAudience(audience).test(who, now);

describe('a comparison of an attribute', () => {
  it.each([
    ['equals', 'gold', ['gold'], ['Gold', 1, ['gold'], undefined]],
    ['equals', 5, [5, 5n], ['5', 6]],
    ['equals', true, [true], ['true', 1]],
    [
      'equals',
      9_007_199_254_740_993n,
      [9_007_199_254_740_993n],
      [9_007_199_254_740_992, 9_007_199_254_740_995n],
    ],
    ['not_equal', 9_007_199_254_740_993n, [9_007_199_254_740_992], [9_007_199_254_740_993n]],
    ['greater_than', 9_007_199_254_740_993n, [9_007_199_254_740_995n], [9_007_199_254_740_993n, 5]],
    ['includes_value', -(2n ** 63n), [[-(2n ** 63n)]], [[-(2n ** 63n) + 1n]]],
    ['not_equal', 'gold', ['silver', 1, undefined], ['gold']],
    ['does_not_equal', true, [false, undefined], [true]],
    ['exists', undefined, ['', 0, false, []], [undefined, null]],
    ['does_not_exist', undefined, [undefined, null], ['']],
    ['matches_regex', '^go(ld)?$', ['go', 'gold'], ['golden', 5, undefined]],
    ['does_not_match_regex', 'old', ['silver', undefined], ['gold']],
    ['includes_value', 'a', [['a', 'b']], ['a', ['b'], undefined]],
    ['does_not_include_value', 'a', [['b'], 'a', undefined], [['a']]],
    ['greater_than', 5, [6, 9_007_199_254_740_993n], [5, '6', undefined]],
    ['greater_than_or_equal_to', 5, [5], [4.9]],
    ['less_than', 5, [4], [5, undefined]],
    ['less_than_or_equal_to', 5, [5], [5.1]],
    ['after', '2026-01-01', ['2026-01-01T00:00:00.001Z'], ['2026-01-01T00:00:00.000Z', 'soon', undefined]],
    ['before', '2026-01-01T01:00:00+01:00', ['2025-12-31T23:59:59.999Z'], ['2026-01-01T00:00:00.000Z']],
    [
      'less_than_x_days_ago',
      2,
      ['2026-06-13T12:00:00.001Z', '2026-06-15T12:00:00.000Z'],
      ['2026-06-13T12:00:00.000Z', '2026-06-15T12:00:00.001Z'],
    ],
    [
      'greater_than_x_days_ago',
      2,
      ['2026-06-13T11:59:59.999Z', '1999-01-01T00:00:00.000Z'],
      ['2026-06-13T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ],
    [
      'less_than_x_days_in_the_future',
      2,
      ['2026-06-15T12:00:00.000Z', '2026-06-17T11:59:59.999Z'],
      ['2026-06-17T12:00:00.000Z', '2026-06-15T11:59:59.999Z'],
    ],
    ['greater_than_x_days_in_the_future', 2, ['2026-06-17T12:00:00.001Z'], ['2026-06-17T12:00:00.000Z']],
  ] as const)('%s %s', (comparison, value, yes, no) => {
    const audience = attribute(comparison, value);
    expect([...yes].map((x) => holds(audience, person({ x })))).toEqual([...yes].map(() => true));
    expect([...no].map((x) => holds(audience, person({ x })))).toEqual([...no].map(() => false));
  });
});

describe('the other filters', () => {
  it('take people without a statement as subscribed', () => {
    const is = (value: string) => ({ email_subscription_status: { comparison: 'is', value } });
    expect([holds(is('subscribed'), person()), holds(is('opted_in'), person())]).toEqual([true, false]);
    expect(holds(is('opted_in'), person({}, { email: 'opted_in' }))).toBe(true);
    const isNot = { push_subscription_status: { comparison: 'is_not', value: 'unsubscribed' } };
    const left = person({}, { push: 'unsubscribed' });
    expect([holds(isNot, person()), holds(isNot, left)]).toEqual([true, false]);
  });

  it('ask when an app was used last', () => {
    const used = (comparison: string) => ({ last_used_app: { comparison, value: '2026-01-01' } });
    const lastUsed = Date.parse('2026-02-01');
    const user = person({}, { lastUsed });
    expect([holds(used('after'), user), holds(used('before'), user)]).toEqual([true, false]);
    expect(holds(used('before'), person())).toBe(false);
  });

  it('are joined by AND and OR at any depth', () => {
    const gold = attribute('equals', 'gold');
    const old = { last_used_app: { comparison: 'before', value: '2020-01-01' } };
    expect(holds({ OR: [old, { AND: [gold, { OR: [gold] }] }] }, person({ x: 'gold' }))).toBe(true);
    expect(holds({ AND: [old, gold] }, person({ x: 'gold' }))).toBe(false);
  });
});

describe('a mistake is refused with its place', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? attribute('exists') : { AND: [nested(depth - 1)] };

  const many = (filters: number) => Array.from({ length: filters }, () => attribute('exists'));
  const state = { email_subscription_status: { comparison: 'is', value: 'yes' } };

  it.each<[string, unknown, string]>([
    ['no object', [], 'audience must be an object'],
    ['nothing', {}, 'audience must have exactly one of AND, OR, custom_attribute'],
    ['an unknown filter', { AND: [{ city: 'x' }] }, 'audience.AND[0].city is not known here'],
    ['an empty list', { OR: [] }, 'audience.OR must be a list of at least one filter'],
    [
      'no name',
      { custom_attribute: { comparison: 'exists' } },
      'audience.custom_attribute.custom_attribute_name must',
    ],
    [
      'an unknown comparison',
      { AND: [attribute('like', 1)] },
      'audience.AND[0].custom_attribute.comparison must be one of equals,',
    ],
    ['a wrong state', state, 'audience.email_subscription_status.value must be one of'],
    [
      'a wrong time of use',
      { last_used_app: { comparison: 'after', value: 5 } },
      'audience.last_used_app.value must be a time',
    ],
    ['too many filters', { OR: many(mostFilters + 1) }, 'audience.OR has too many filters'],
    ['too many filters in parts', { OR: [{ AND: many(60) }, { AND: many(60) }] }, 'too many'],
    ['too many levels', nested(11), 'is nested too deep'],
  ])('%s', (_, audience, message) => {
    expect(() => prepareAudience(audience)).toThrow(AudienceFault);
    expect(() => prepareAudience(audience)).toThrow(message);
  });

  const aText = 'a text of at most 255 characters';

  it.each([
    ['a number for a text', 'matches_regex', 5, 'a pattern'],
    ['more than 64 bits', 'equals', 2n ** 63n, `${aText} or a whole number within 64 bits`],
    ['a text for a number', 'less_than', '5', 'a number'],
    ['no value', 'equals', undefined, `${aText} or a number or true or false`],
    ['a wrong time', 'after', 'soon', 'a time in ISO 8601'],
    ['wrong days', 'less_than_x_days_ago', 1.5, 'a whole number of days'],
    ['a pattern with a mistake', 'matches_regex', '(', 'a regular expression'],
    ['a pattern with a back reference', 'matches_regex', '(a)\\1', 'a regular expression'],
    ['a pattern of many steps', 'matches_regex', '(a{900}){2}', 'a'],
  ])('in a value: %s', (_, comparison, value, must) => {
    const prepare = () => prepareAudience(attribute(comparison, value));
    expect(prepare).toThrow(AudienceFault);
    expect(prepare).toThrow(`audience.custom_attribute.value must be ${must}`);
  });
});

it('a pattern that others would take for ever with takes no time', () => {
  const audience = attribute('matches_regex', '(a+)+$');
  const began = performance.now();
  expect(holds(audience, person({ x: `${'a'.repeat(254)}b` }))).toBe(false);
  inLongRuns(() => expect(performance.now() - began).toBeLessThan(200));
});
