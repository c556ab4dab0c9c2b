import type { AcceptedRequest } from '@roster/contract';
import { type Depending, waitingAmong } from './depending.ts';

const requestAt = (at: number, body: unknown, more: Partial<AcceptedRequest> = {}): AcceptedRequest => ({
  id: `r${at}`,
  ws: 'w',
  op: 'users.track',
  at,
  body,
  ...more,
});

const depending = (at: number, ...names: string[]): Depending => ({
  id: `r${at}`,
  ws: 'w',
  at,
  names: new Set(names.map((name) => `text:${name}`)),
  isCreating: false,
});

const about = (...names: string[]) => ({ events: names.map((external_id) => ({ external_id })) });

describe('a request about the person who was changed last of several waits', () => {
  it('for an earlier request that names one of them', () => {
    const all = [depending(5, 'ada', 'bob')];
    expect(waitingAmong(all, [requestAt(3, about('eve', 'bob'))], [])).toEqual(new Set(['r5']));
    expect(waitingAmong(all, [requestAt(3, about('eve'))], [])).toEqual(new Set());
  });

  it('not for a later one, nor for one of another workspace', () => {
    const all = [depending(5, 'ada')];
    const others = [requestAt(6, about('ada')), requestAt(3, about('ada'), { ws: 'other' })];
    expect(waitingAmong(all, others, [])).toEqual(new Set());
  });

  it('for one whose numbers are not read digit by digit', () => {
    expect(waitingAmong([depending(5, 'ada')], [requestAt(3, about('eve'), { exact: true })], [])).toEqual(
      new Set(['r5']),
    );
  });

  it('for one of its own batch that waits', () => {
    const batch = [requestAt(5, about('ada', 'kim')), requestAt(6, about('kim')), requestAt(7, about('lea'))];
    const all = [depending(5, 'ada'), depending(6, 'kim'), depending(7, 'lea')];
    expect(waitingAmong(all, [requestAt(3, about('ada'))], batch)).toEqual(new Set(['r5', 'r6']));
    expect(waitingAmong(all, [], batch)).toEqual(new Set());
  });
});
