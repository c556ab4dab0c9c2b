import { join } from 'node:path';
import { useThread } from '@roster/testkit';
import type { Candidate } from './candidate.ts';
import { AudienceFault } from './fault.ts';
import { ofPatterns } from './limits.ts';
import { type Matching, openMatching } from './open-matching.ts';
import { prepareAudience, readAudience } from './prepare.ts';
import { testPeople } from './test-people.ts';

const withPattern = (value: string) => ({
  custom_attribute: { custom_attribute_name: 'x', comparison: 'matches_regex', value },
});

/** Each letter may be the last one of each repetition. */
const costly = (times: number) => withPattern(`(?:\\pL?){${times}}\\pZ`);

const several = <Thing>(count: number, thing: Thing): Thing[] => Array.from({ length: count }, () => thing);

const person = (text: string): Candidate => ({
  attributes: new Map([['x', text]]),
  email: undefined,
  push: undefined,
  lastUsed: undefined,
});

const letters = 'a'.repeat(255);

describe('the patterns of an audience have a bound together', () => {
  it.each<[string, unknown, string]>([
    ['steps', { OR: several(99, costly(490)) }, 'audience.OR[2].custom_attribute.value makes the patterns'],
    [
      'characters',
      { OR: several(40, withPattern('x'.repeat(51))) },
      'audience.OR[39].custom_attribute.value makes the patterns',
    ],
    ['steps of one', costly(500), 'audience.custom_attribute.value must be a pattern of at most'],
  ])('%s', (_, audience, message) => {
    expect(() => prepareAudience(audience)).toThrow(AudienceFault);
    expect(() => prepareAudience(audience)).toThrow(message);
  });

  it('which usual ones are far below', () => {
    const usual = [
      '^gold$',
      '(?i)@(example|example-shop)\\.(com|org)$',
      '^\\+49\\d{6,12}$',
      '^[A-Z]{2}-\\d{4}$',
    ];
    prepareAudience({ OR: several(20, usual.map(withPattern)).flat() });
  });

  it('and characters are counted before any pattern is compiled', () => {
    const bad = several(40, withPattern(`(${'x'.repeat(50)}`));
    expect(() => readAudience({ OR: bad })).toThrow('makes the patterns of the audience too large');
  });
});

it('the work of one test is bounded: people beyond it are left for another time, and one is always tested', () => {
  const audience = { OR: several(2, costly(490)) };
  const asked = { audiences: [audience, audience], now: 0 };
  const { holds, visits } = testPeople({ ...asked, people: several(500, person(letters)) });
  expect(visits).toBeLessThanOrEqual(ofPatterns.visits);
  expect(holds).toEqual(several(Math.floor(ofPatterns.visits / (4 * 983 * 256)), false));
  expect(testPeople({ ...asked, people: [person('x'.repeat(10_000))] }).holds).toEqual([false]);
  const small = testPeople({
    audiences: [withPattern('^gold$')],
    now: 0,
    people: several(1000, person('gold')),
  });
  expect(small.holds).toEqual(several(1000, true));
});

describe('in a thread', () => {
  const script = useThread(join(__dirname, 'matching-thread.ts'));
  let matching: Matching;
  beforeAll(() => {
    matching = openMatching({ script: script() });
  });
  afterAll(() => matching.close());

  /** Whether the event loop had a turn meanwhile. */
  const turned = async (work: Promise<unknown>): Promise<boolean> => {
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    await work;
    return hasTurned;
  };

  it('people are tested and audiences checked, while the event loop goes on', async () => {
    const asked = { audiences: [costly(490)], people: several(3, person(letters)), now: 0 };
    expect(await turned(matching.test(asked))).toBe(true);
    expect(await turned(matching.check(costly(490), 'audience'))).toBe(true);
    expect(await matching.test({ ...asked, people: [person('a b'), person('ab')] })).toMatchObject({
      holds: [true, false],
    });
  });

  it('a mistake is told as such, and the thread goes on', async () => {
    const wrong = matching.check(withPattern('('), 'segment');
    await expect(wrong).rejects.toThrow(AudienceFault);
    await expect(wrong).rejects.toThrow('segment.custom_attribute.value must be a regular expression of RE2');
    await expect(matching.check(withPattern('x'), 'audience')).resolves.toBeUndefined();
  });

  it('what ends the thread fails alone: the next work has a new one', async () => {
    const lost = matching.test({ audiences: [withPattern('x')], people: null as never, now: 0 });
    const next = matching.check(withPattern('x'), 'audience');
    await expect(lost).rejects.toThrow();
    await expect(next).resolves.toBeUndefined();
  });

  it('what is asked after the end is refused', async () => {
    const other = openMatching({ script: script() });
    await other.close();
    await expect(other.check(withPattern('x'), 'audience')).rejects.toThrow('closed');
  });
});
