import { until } from '@roster/testkit';
import { createPace, watchOthers } from './others.ts';

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
