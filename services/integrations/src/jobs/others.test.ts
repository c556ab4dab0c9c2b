import { until } from '@roster/testkit';
import { createPace, createReadingPace, watchOthers } from './others.ts';

it('have all of the share while their requests are seen in two of five looks, and none of it when they are gone', async () => {
  let looks = 0;
  let areThere = true;
  const others = watchOthers(async () => {
    looks += 1;
    return areThere && looks % 2 === 0;
  }, 10);
  await until(() => others.share() === 1);
  areThere = false;
  await until(() => others.share() === 0);
  others.close();
});

it('have none when the queues can not be read', async () => {
  let looks = 0;
  const others = watchOthers(() => {
    looks += 1;
    return Promise.reject(new Error('away'));
  }, 10);
  await until(() => {
    expect(others.share()).toBe(0);
    return looks > 5;
  });
  others.close();
});

it('leave a sync fewer requests on their way, and one at least', () => {
  const most = (share: number) =>
    createPace(
      () => share,
      () => 1,
    ).most();
  expect([0, 0.5, 0.9, 1].map(most)).toEqual([8, 4, 1, 1]);
});

describe('what reads rows', () => {
  it.each([
    ['nobody else has work', 0, 500, []],
    ['it has worked for less than a step', 1, 9, []],
    ['others have work all the time', 1, 100, [900]],
    ['others have work half of the time', 0.5, 100, [450]],
    ['a piece was long', 1, 5_000, [3_000]],
  ])('rests as long as it must when %s', async (_, share, worked, expected) => {
    const rests: number[] = [];
    const rest = createReadingPace(
      () => share,
      () => () => worked,
      async (ms) => void rests.push(ms ?? 0),
    );
    await rest();
    expect(rests).toEqual(expected);
  });

  it('is measured by the work of the event loop, anew after each rest', async () => {
    let rests = 0;
    const rest = createReadingPace(
      () => 1,
      undefined,
      async () => void rests++,
    );
    await until(async () => {
      await rest();
      return rests === 2;
    });
  });
});
