import type { AcceptedRequest } from '@roster/contract';
import { createContested } from './contested.ts';

const about = (...people: string[]): AcceptedRequest => ({
  id: 'r1-x',
  ws: 'w',
  op: 'users.track',
  at: 1,
  body: { attributes: people.map((external_id) => ({ external_id, a: 1 })) },
});

describe('a contested person', () => {
  it('is the one that several requests of the batch name', () => {
    const contested = createContested();
    contested.note([about('hot', 'a'), about('hot', 'b'), about('c')]);
    expect([about('hot'), about('x', 'hot'), about('a'), about('c')].map(contested.has)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('is each of a request that was alone', () => {
    const contested = createContested();
    contested.note([about('hot', 'a')]);
    expect([about('hot'), about('a'), about('b')].map(contested.has)).toEqual([true, true, false]);
  });

  it('is no person who has only events, and no person of another workspace', () => {
    const contested = createContested();
    contested.note([about('hot')]);
    expect(contested.has({ ...about(), body: { events: [{ external_id: 'hot' }] } })).toBe(false);
    expect(contested.has({ ...about('hot'), ws: 'other' })).toBe(false);
    expect(contested.has({ id: 'r1-x', ws: 'w', op: 'users.track', at: 1 })).toBe(false);
  });

  it('is forgotten after three seconds without a collision', () => {
    let ms = 0;
    const contested = createContested(() => ms);
    contested.note([about('hot')]);
    ms = 2999;
    expect(contested.has(about('hot'))).toBe(true);
    ms = 3001;
    expect(contested.has(about('hot'))).toBe(false);
  });
});
