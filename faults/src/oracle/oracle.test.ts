import { createDice, shuffled } from '../harness/dice.ts';
import { explain, type Step } from './explain.ts';
import { askedIn, type History, initialOf, makeHistory } from './history.ts';
import type { Operation } from './model.ts';
import { shrink } from './shrink.ts';
import { blank, empty, type Ref, type State } from './state.ts';
import { tell } from './tell.ts';
import {
  after as inTurn,
  merge as merging,
  remove as removing,
  type Track,
  track as trackOf,
} from './track.ts';
import { writtenAll } from './written.ts';

const track = (id: string, token: string, more: Partial<Track> = {}) => trackOf({ ext: id }, token, more);
const merge = (from: string, into: string): Operation => merging({ ext: from }, { ext: into });
const asked: Ref[] = [{ ext: 'p0' }, { ext: 'p1' }];
const after = (...operations: Operation[]): State => inTurn(operations);
const seenOf = (state: State, names = asked) => ({ asked: names, people: writtenAll(state, names) });

const stepsOf = (operations: Operation[], isAfter: (place: number) => number[] = () => []): Step[] =>
  operations.map((operation, place) => ({ operation, after: isAfter(place), perhaps: false }));

/** As if each phase had been sent after the answers to all before. */
const phased = ({ phases }: History): Step[] => {
  const bounds = phases.map((_, n) => phases.slice(0, n).flat().length);
  const boundOf = (place: number) => bounds.findLast((bound) => bound <= place) ?? 0;
  return stepsOf(phases.flat(), (place) => Array.from({ length: boundOf(place) }, (_, n) => n));
};

describe('the search', () => {
  it('finds an order for whatever came about one after the other, whichever order that was in each phase', () => {
    for (let seed = 0; seed < 300; seed++) {
      const history = makeHistory(createDice(seed * 7919), seed);
      const operations = history.phases.flatMap((phase) => shuffled(createDice(seed), phase));
      const state = inTurn(operations, initialOf(history));
      const seen = seenOf(state, askedIn(history));
      expect(explain(initialOf(history), phased(history), seen).order).toBeDefined();
    }
  });

  it('keeps to what was answered before something else was sent', () => {
    const operations = [track('p0', 't0'), track('p0', 't1')];
    const seen = seenOf(after(...operations.toReversed()));
    expect(explain(empty, stepsOf(operations), seen).order).toEqual([1, 0]);
    const orderly = stepsOf(operations, (place) => (place === 1 ? [0] : []));
    expect(explain(empty, orderly, seen).order).toBeUndefined();
  });

  it('takes what may not have been accepted either way', () => {
    const steps: Step[] = [{ operation: track('p0', 't0'), after: [], perhaps: true }];
    expect(explain(empty, steps, seenOf(empty)).order).toBeDefined();
    expect(explain(empty, steps, seenOf(after(track('p0', 't0')))).order).toBeDefined();
  });

  const crossing = [track('p0', 't0'), track('p1', 't1'), merge('p0', 'p1'), merge('p1', 'p0')];
  const inPhases = (place: number): number[] => (place < 2 ? [] : [0, 1]);
  const wrongly = (tokens: string[]): State => ({
    people: [{ ...blank, ext: 'p0', tokens, colour: 't0', visits: 1 }],
    said: {},
  });

  it.each<[string, State]>([
    ['both gone after crossing merges', empty],
    ['both still there', after(...crossing.slice(0, 2))],
    ['an event lost', wrongly(['t0'])],
    ['an event twice', wrongly(['t0', 't1', 't1'])],
  ])('sees %s', (_, wrong) => {
    expect(explain(empty, stepsOf(crossing, inPhases), seenOf(wrong)).order).toBeUndefined();
  });

  const email = 'm0';
  const sharing = after(track('p0', 'b0', { email }), track('p1', 'b1', { email }));

  it('takes only the person who was changed last of those who share a contact', () => {
    const byEmail = trackOf({ email }, 't0', { parts: 'event' });
    const orderly = stepsOf([byEmail, track('p0', 't1')], (place) => (place === 1 ? [0] : []));
    const wrong = seenOf(inTurn([track('p0', 't0', { parts: 'event' }), track('p0', 't1')], sharing));
    expect(explain(sharing, orderly, wrong).order).toBeUndefined();
  });

  it('takes only the person whom the last statement or change was about, for an identity request too', () => {
    const statement: Operation = {
      do: 'subscribe',
      who: { ext: 'p0' },
      register: 'texts',
      state: 'subscribed',
    };
    const remove = removing({ who: { email }, prefer: ['most_recently_updated'] });
    const orderly = (...operations: Operation[]) => stepsOf(operations, (place) => (place === 1 ? [0] : []));
    const wrong = seenOf(inTurn([remove, statement], sharing));
    expect(explain(sharing, orderly(statement, remove), wrong).order).toBeUndefined();
    const change = track('p0', 't0', { parts: 'event' });
    const unseen = seenOf(inTurn([remove, change], sharing));
    expect(explain(sharing, orderly(change, remove), unseen).order).toBeUndefined();
  });

  it('sees when two that were sent one after the other took effect in the other order, in many histories', () => {
    let [unexplained, tried] = [0, 0];
    for (let seed = 0; seed < 300; seed++) {
      const history = makeHistory(createDice(seed * 104_729), seed);
      const [initial, names] = [initialOf(history), askedIn(history)];
      const right = inTurn(history.phases.flat(), initial);
      const wrong = inTurn(history.phases.toReversed().flat(), initial);
      if (writtenAll(right, names) === writtenAll(wrong, names)) continue;
      tried += 1;
      if (!explain(initial, phased(history), seenOf(wrong, names)).order) unexplained += 1;
    }
    expect(tried).toBeGreaterThan(150);
    expect(unexplained / tried).toBeGreaterThan(0.9);
  });
});

describe('histories', () => {
  it('of one seed are the same, and name everything that the oracle is about', () => {
    const histories = Array.from({ length: 300 }, (_, seed) => makeHistory(createDice(seed * 7919), seed));
    expect(makeHistory(createDice(7919), 1)).toEqual(histories[1]);
    const text = histories.map(tell).join('\n');
    for (const one of [
      ...['delete p0', 'delete m0', 'delete id of', 'identify mail/a as p0 (none)', '(merge)', 'merge p0'],
      ...['alias-new', 'alias-update', 'rename', 'remove-id', 'subscribe m0', 'subscribe f0', 'email null'],
      ...['email unsubscribed', 'updates only', 'track m0', 'track f0', 'track id of', 'track mail/a'],
    ])
      expect(text).toContain(one);
    for (const { phases } of histories) expect(phases.flat().length).toBeGreaterThanOrEqual(5);
  });
});

describe('shrinking', () => {
  it('leaves the operations without which it would not fail', async () => {
    const history = makeHistory(createDice(1), 1);
    const culprit = history.phases.at(-1)?.[0];
    const small = await shrink(
      history,
      async (some) => some.filter(({ phases }) => phases.flat().some((operation) => operation === culprit)),
      40,
    );
    expect(small.phases).toEqual([[culprit]]);
    expect(tell(small).split('\n')).toHaveLength(2);
  });
});
