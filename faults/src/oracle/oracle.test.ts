import { createDice } from '../harness/dice.ts';
import { explain, type Step } from './explain.ts';
import { makeHistory } from './history.ts';
import { apply, type Operation, type Person, type State, writtenAll } from './model.ts';
import { shrink } from './shrink.ts';
import { tell } from './tell.ts';

const mail = (name: string) => ({ label: 'mail', name });
const track = (ext: string, token: string): Operation => ({ do: 'track', who: { ext }, token, create: true });
const trackAlias = (name: string, token: string, create = true): Operation => ({
  do: 'track',
  who: { alias: mail(name) },
  token,
  create,
});
const merge = (from: string, into: string): Operation => ({
  do: 'merge',
  from: { ext: from },
  into: { ext: into },
});

const after = (...operations: Operation[]): State => operations.reduce<State>(apply, []);
const only = (state: State): Person | undefined => (state.length === 1 ? state[0] : undefined);

describe('the model', () => {
  it('creates by external id, and by alias only when it is said', () => {
    expect(after(track('p0', 't0'))).toMatchObject([{ ext: 'p0', tokens: ['t0'], colour: 't0', visits: 1 }]);
    expect(after(trackAlias('a', 't0', false))).toEqual([]);
    expect(after(trackAlias('a', 't0'), trackAlias('a', 't1', false))).toMatchObject([
      { tokens: ['t0', 't1'] },
    ]);
  });

  it('keeps what the kept one has, and joins what happened', () => {
    const state = after(track('p0', 't0'), track('p1', 't1'), track('p1', 't2'), merge('p1', 'p0'));
    expect(only(state)).toMatchObject({ ext: 'p0', tokens: ['t0', 't1', 't2'], colour: 't0', visits: 1 });
  });

  it('does nothing when somebody is to be merged into themselves, or is not there', () => {
    const state = after(track('p0', 't0'));
    expect(apply(state, merge('p0', 'p0'))).toEqual(state);
    expect(apply(state, merge('p0', 'p1'))).toEqual(state);
  });

  it('identifies a visitor, with everything or with the alias alone', () => {
    const before = [trackAlias('a', 't0'), track('p0', 't1')];
    const identify = (all: boolean): Operation => ({
      do: 'identify',
      ext: 'p0',
      alias: mail('a'),
      merge: all,
    });
    expect(only(after(...before, identify(true)))).toMatchObject({
      tokens: ['t1', 't0'],
      aliases: [mail('a')],
    });
    expect(only(after(...before, identify(false)))).toMatchObject({ tokens: ['t1'], aliases: [mail('a')] });
    expect(only(after(trackAlias('a', 't0'), identify(false)))).toMatchObject({ ext: 'p0', tokens: ['t0'] });
  });

  it('goes on finding people by the external id they had before', () => {
    const state = after(track('p0', 't0'), { do: 'rename', from: 'p0', to: 'q0' }, track('p0', 't1'));
    expect(only(state)).toMatchObject({ ext: 'q0', former: ['p0'], tokens: ['t0', 't1'] });
  });

  it('finds nobody by the external ids of somebody who was merged away, whether primary or deprecated', () => {
    const rename: Operation = { do: 'rename', from: 'p0', to: 'q0' };
    const state = after(track('p0', 't0'), rename, track('p1', 't1'), merge('q0', 'p1'));
    expect(only(state)).toMatchObject({ ext: 'p1', former: [], tokens: ['t1', 't0'] });
  });

  it('starts afresh after a deletion', () => {
    const state = after(track('p0', 't0'), { do: 'delete', who: { ext: 'p0' } }, track('p0', 't1'));
    expect(only(state)).toMatchObject({ tokens: ['t1'] });
  });
});

const stepsOf = (operations: Operation[], after: (place: number) => number[] = () => []): Step[] =>
  operations.map((operation, place) => ({ operation, after: after(place), perhaps: false }));

const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const dice = createDice(seed);
  const rest = [...items];
  return items.map(() => rest.splice(dice.below(rest.length), 1)[0] as T);
};

describe('the search', () => {
  it('finds an order for whatever came about one after the other', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { phases } = makeHistory(createDice(seed * 7919), seed);
      const operations = phases.flat().map(({ operation }) => operation);
      const state = shuffled(operations, seed).reduce<State>(apply, []);
      expect(explain(stepsOf(operations), writtenAll(state)).order).toBeDefined();
    }
  });

  it('keeps to what was answered before something else was sent', () => {
    const operations = [track('p0', 't0'), track('p0', 't1')];
    const seen = writtenAll(after(...operations.toReversed()));
    expect(explain(stepsOf(operations), seen).order).toEqual([1, 0]);
    expect(
      explain(
        stepsOf(operations, (place) => (place === 1 ? [0] : [])),
        seen,
      ).order,
    ).toBeUndefined();
  });

  it('takes what may not have been accepted either way', () => {
    const steps: Step[] = [{ operation: track('p0', 't0'), after: [], perhaps: true }];
    expect(explain(steps, '').order).toBeDefined();
    expect(explain(steps, writtenAll(after(track('p0', 't0')))).order).toBeDefined();
  });

  const crossing = [track('p0', 't0'), track('p1', 't1'), merge('p0', 'p1'), merge('p1', 'p0')];
  const inPhases = (place: number): number[] => (place < 2 ? [] : [0, 1]);

  it.each<[string, State]>([
    ['both gone after crossing merges', []],
    ['both still there', after(...crossing.slice(0, 2))],
    ['an event lost', [{ ext: 'p0', former: [], aliases: [], tokens: ['t0'], colour: 't0', visits: 1 }]],
    [
      'an event twice',
      [{ ext: 'p0', former: [], aliases: [], tokens: ['t0', 't1', 't1'], colour: 't0', visits: 1 }],
    ],
  ])('sees %s', (_, wrong) => {
    expect(explain(stepsOf(crossing, inPhases), writtenAll(wrong)).order).toBeUndefined();
  });

  it('sees the loss of any single event in most histories', () => {
    let unexplained = 0;
    let tried = 0;
    for (let seed = 0; seed < 100; seed++) {
      const { phases } = makeHistory(createDice(seed * 104_729), seed);
      const operations = phases.flat().map(({ operation }) => operation);
      const state = operations.reduce<State>(apply, []);
      const [first, ...rest] = state;
      if (!first || first.tokens.length < 2) continue;
      tried += 1;
      const torn = [{ ...first, tokens: first.tokens.slice(1) }, ...rest];
      const bounds = phases.map((_, n) => phases.slice(0, n).flat().length);
      const phaseOf = (place: number) => bounds.findLastIndex((bound) => bound <= place);
      const steps = stepsOf(operations, (place) =>
        operations.flatMap((_, other) => (phaseOf(other) < phaseOf(place) ? [other] : [])),
      );
      if (!explain(steps, writtenAll(torn)).order) unexplained += 1;
    }
    expect(tried).toBeGreaterThan(30);
    expect(unexplained / tried).toBeGreaterThan(0.9);
  });
});

describe('shrinking', () => {
  it('leaves the operations without which it would not fail', async () => {
    const history = makeHistory(createDice(1), 1);
    const culprit = history.phases.at(-1)?.[0];
    const small = await shrink(
      history,
      async ({ phases }) => phases.flat().some((sent) => sent === culprit),
      200,
    );
    expect(small.phases).toEqual([[culprit]]);
    expect(tell(small).split('\n')).toHaveLength(1);
  });
});
