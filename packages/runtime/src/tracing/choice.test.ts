import { createChoice } from './choice.ts';

const parent = (traceFlags: number) => ({ traceId: 'a', spanId: 'b', traceFlags });

describe('the choice of requests to trace', () => {
  it('is a share of those without a trace of their own', () => {
    const random = [0.009, 0.011, 0.5];
    const isChosen = createChoice({ share: 0.01, random: () => random.shift() ?? 1 });
    expect([isChosen(undefined), isChosen(undefined), isChosen(undefined)]).toEqual([true, false, false]);
  });

  it('is none with a share of 0, and all with 1', () => {
    expect(createChoice({ share: 0, random: () => 0 })(undefined)).toBe(false);
    expect(createChoice({ share: 1, random: () => 0.999_999 })(undefined)).toBe(true);
  });

  it('is the caller’s where it says one, for some requests a second', () => {
    let now = 1_000;
    const isChosen = createChoice({ share: 1, mostAsked: 3, now: () => now });
    expect(isChosen(parent(0))).toBe(false);
    const ask = () => Array.from({ length: 5 }, () => isChosen(parent(1)));
    expect(ask()).toEqual([true, true, true, false, false]);
    now += 1_000;
    expect(ask()).toEqual([true, true, true, false, false]);
  });
});
