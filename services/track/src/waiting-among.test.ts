import type { AcceptedRequest } from '@roster/contract';
import { type Unknown, waitingAmong } from './premature.ts';

const requestAt = (at: number, body: unknown, more: Partial<AcceptedRequest> = {}): AcceptedRequest => ({
  id: `r${at}`,
  ws: 'w',
  op: 'users.track',
  at,
  body,
  ...more,
});

const unknown = (at: number, ...names: string[]): Unknown => ({
  id: `r${at}`,
  ws: 'w',
  at,
  names: new Set(names.map((name) => `text:${name}`)),
});

const about = (...names: string[]) => ({ events: names.map((external_id) => ({ external_id })) });

describe('a request that found nobody by some names waits', () => {
  it('for an earlier request that has one of the names', () => {
    const all = [unknown(5, 'ada', 'bob')];
    expect(waitingAmong(all, [requestAt(3, about('eve', 'bob'))], [])).toEqual(new Set(['r5']));
    expect(waitingAmong(all, [requestAt(3, about('eve'))], [])).toEqual(new Set());
  });

  it('not for a later one, nor for one of another workspace', () => {
    const all = [unknown(5, 'ada')];
    const others = [requestAt(6, about('ada')), requestAt(3, about('ada'), { ws: 'other' })];
    expect(waitingAmong(all, others, [])).toEqual(new Set());
  });

  it('for one whose numbers are not read digit by digit', () => {
    expect(waitingAmong([unknown(5, 'ada')], [requestAt(3, about('eve'), { exact: true })], [])).toEqual(
      new Set(['r5']),
    );
  });

  it('for one of its own batch that waits', () => {
    const batch = [requestAt(5, about('ada', 'kim')), requestAt(6, about('kim')), requestAt(7, about('lea'))];
    const all = [unknown(5, 'ada'), unknown(6, 'kim'), unknown(7, 'lea')];
    expect(waitingAmong(all, [requestAt(3, about('ada'))], batch)).toEqual(new Set(['r5', 'r6']));
    expect(waitingAmong(all, [], batch)).toEqual(new Set());
  });
});
