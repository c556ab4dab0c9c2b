import fc from 'fast-check';
import { type Said, setConsents } from './consent.ts';
import { consentHistory, type Stay, staysIn } from './consent-history.ts';
import { type ConsentRow, createConsentRows } from './consent-history-rows.ts';
import type { Consent, ConsentState } from './profile.ts';

const me = 'me';
const forEver = Number.POSITIVE_INFINITY;

/** Statements in the order in which they are applied: what is kept of them, and the register that they leave. */
const applied = (...statements: [ConsentState | null, number][]) => {
  const log = createConsentRows();
  let own: Consent[] = [];
  for (const [v, at] of statements) {
    log.say({ request: `r${at}`, ws: 'demo', k: 'email', v, at, profile: { id: me, before: own } });
    own = setConsents(own, [{ k: 'email', v, at }]);
  }
  return { rows: [...log.rows()], own };
};

const historyOf = ({ rows, own }: { rows: ConsentRow[]; own: Consent[] }) =>
  consentHistory({ rows, own, profiles: new Set([me]), stays: [], said: new Map() });

const told = (changes: ReturnType<typeof historyOf>) =>
  changes.toReversed().map(({ from, to, at, request }) => [from, to, at, request]);

describe('what is kept', () => {
  it('is the first statement and every change, not a repetition', () => {
    const { rows } = applied(['subscribed', 1], ['subscribed', 2], ['unsubscribed', 3], [null, 4]);
    expect(rows.map(({ to, at, n }) => [to, at, n])).toEqual([
      ['subscribed', 1, 0],
      ['unsubscribed', 3, 0],
      [null, 4, 0],
    ]);
  });

  it('has a place for each row of a request', () => {
    const log = createConsentRows();
    const said = {
      request: 'r1',
      ws: 'demo',
      v: 'subscribed',
      at: 1,
      profile: { id: me, before: [] },
    } as const;
    for (const k of ['email', 'push']) log.say({ ...said, k });
    expect(log.rows().map(({ k, n }) => [k, n])).toEqual([
      ['email', 0],
      ['push', 1],
    ]);
  });

  it('is one row for a person and the email they have, when it is new to one of the two', () => {
    const log = createConsentRows();
    const spoken = { request: 'r9', ws: 'demo', k: 'email', v: 'subscribed', at: 9 } as const;
    const known: Consent[] = [{ k: 'email', v: 'subscribed', at: 5 }];
    log.say({ ...spoken, profile: { id: me, before: known }, address: { key: 'a', before: [] } });
    log.say({ ...spoken, profile: { id: me, before: known }, address: { key: 'a', before: known } });
    expect(log.rows()).toEqual([
      {
        request: 'r9',
        n: 0,
        ws: 'demo',
        profile: me,
        address: 'a',
        k: 'email',
        to: 'subscribed',
        at: 9,
        own: { v: 'subscribed', at: 5 },
      },
    ]);
  });
});

describe('the history', () => {
  it('is newest first, each change with what was before', () => {
    const changes = historyOf(applied(['subscribed', 1], ['unsubscribed', 3], ['opted_in', 5]));
    expect(changes.map(({ from, to, at }) => [from, to, at])).toEqual([
      ['unsubscribed', 'opted_in', 5],
      ['subscribed', 'unsubscribed', 3],
      [null, 'subscribed', 1],
    ]);
  });

  it('has a statement that came late in its place, and what it was overtaken by after it', () => {
    const late = applied(['subscribed', 10], ['subscribed', 30], ['unsubscribed', 20], ['unsubscribed', 40]);
    expect(told(historyOf(late))).toEqual([
      [null, 'subscribed', 10, 'r10'],
      ['subscribed', 'unsubscribed', 20, 'r20'],
      ['unsubscribed', 'subscribed', 30, undefined],
      ['subscribed', 'unsubscribed', 40, 'r40'],
    ]);
  });

  const stamps = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 });
  const states = fc.constantFrom<ConsentState | null>('opted_in', 'subscribed', 'unsubscribed', null);
  const statements = stamps.chain((all) =>
    fc.tuple(...all.map((at) => states.map((v): [ConsentState | null, number] => [v, at]))),
  );
  const shuffledToo = statements.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );

  it('has no gap and ends with the state, in whatever order the statements are applied', () => {
    fc.assert(
      fc.property(shuffledToo, ([, shuffled]) => {
        const kept = applied(...shuffled);
        const changes = historyOf(kept).toReversed();
        for (const [index, change] of changes.entries()) {
          expect(change.from).toBe(changes[index - 1]?.to ?? null);
          expect(change.at).toBeGreaterThan(changes[index - 1]?.at ?? 0);
        }
        expect(changes.at(-1)?.to ?? null).toBe(kept.own[0]?.v ?? null);
      }),
    );
  });

  it('tells the same changes in the order of record, when they are applied in it', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const inOrder = all.toSorted(([, a], [, b]) => a - b);
        const expected: [ConsentState | null, ConsentState | null, number][] = [];
        for (const [v, at] of inOrder) {
          const from = expected.at(-1)?.[1] ?? null;
          if (from !== v) expected.push([from, v, at]);
        }
        expect(told(historyOf(applied(...inOrder))).map((one) => one.slice(0, 3))).toEqual(expected);
      }),
    );
  });
});

describe('what was said about an address', () => {
  const row = (to: ConsentState, at: number, more: Partial<ConsentRow> = {}): ConsentRow => ({
    request: `r${at}`,
    n: 0,
    ws: 'demo',
    address: 'a',
    k: 'email',
    to,
    at,
    ...more,
  });
  const stay = (since: number, until = forEver): Stay => ({ address: 'a', since, until });
  const ofStays = (rows: ConsentRow[], stays: Stay[], said: Said[] = []) =>
    consentHistory({ rows, stays, own: [], profiles: new Set([me]), said: new Map([['a', said]]) }).map(
      ({ to, at }) => [to, at],
    );
  const day = 24 * 3600 * 1_000_000;

  it.each<[string, ConsentRow, Stay, number]>([
    ['counts from when they had it on', row('subscribed', 20), stay(20), 1],
    ['does not count before', row('subscribed', 19), stay(20), 0],
    ['does not count when they had left it', row('subscribed', 30), stay(20, 30), 0],
    ['counts before when nobody had it', row('subscribed', 19, { orphan: true }), stay(20), 1],
    ['not if that was too long ago', row('subscribed', 1, { orphan: true }), stay(30 * day + 2), 0],
  ])('%s', (_, said, stays, count) => {
    expect(ofStays([said], [stays])).toHaveLength(count);
  });

  it('of which no row was kept for those who came later is read from the register', () => {
    const register: Said = { k: 'email', v: 'subscribed', at: 50 };
    expect(ofStays([row('subscribed', 5)], [stay(40)], [register])).toEqual([['subscribed', 50]]);
    const overwritten = row('unsubscribed', 60, { said: { v: 'subscribed', at: 50 } });
    expect(ofStays([row('subscribed', 5), overwritten], [stay(40)])).toEqual([
      ['unsubscribed', 60],
      ['subscribed', 50],
    ]);
  });

  it('stays known of somebody who has left', () => {
    const log = createConsentRows();
    log.leave({ request: 'r30', ws: 'demo', profile: me, address: 'a', since: 10, until: 30 });
    const rows = [...log.rows(), row('subscribed', 20)];
    expect(ofStays(rows, staysIn(rows))).toEqual([['subscribed', 20]]);
  });
});
