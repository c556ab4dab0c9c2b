import { createLife } from './life.ts';

const limits = { busyMs: 300, silentMs: 1_000, lookMs: 50 };

/** What each look says, of a process that was busy for so long at each. */
const looks = (busy: readonly (number | undefined)[], life = createLife(limits)) =>
  busy.map((one) => life.look(one));

const alive = (times: number): undefined[] => Array.from({ length: times }, () => undefined);

it('a process that says nothing may be busy for some time', () => {
  expect(looks([40, 340, 341])).toEqual([undefined, undefined, 'busy']);
});

it('time in which it waits for a processor counts only up to the last resort', () => {
  expect(looks(Array.from({ length: 21 }, () => 40))).toEqual([...alive(20), 'silent']);
});

it('a word of it begins both anew', () => {
  const life = createLife(limits);
  expect(looks([40, 340], life)).toEqual(alive(2));
  life.heard();
  expect(looks([341, 641, 642], life)).toEqual([undefined, undefined, 'busy']);
});

it('where nobody tells how busy it was, it was busy all the time', () => {
  expect(looks(Array.from({ length: 7 }, () => undefined))).toEqual([...alive(6), 'busy']);
});
