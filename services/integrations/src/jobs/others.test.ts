import { setTimeout as sleep } from 'node:timers/promises';
import { type Others, watchOthers } from './others.ts';

const until = async (others: Others, isGood: (share: number) => boolean): Promise<number> => {
  for (let tries = 0; tries < 100 && !isGood(others.share()); tries += 1) await sleep(50);
  return others.share();
};

it('have all of the share while their requests are seen in a third of the looks, and none of it a second later', async () => {
  let looks = 0;
  let areThere = true;
  const others = watchOthers(async () => {
    looks += 1;
    return areThere && looks % 3 === 0;
  });
  await sleep(600);
  // Nobody has asked.
  expect(looks).toBe(0);
  expect(await until(others, (share) => share > 0.8)).toBeGreaterThan(0.8);
  areThere = false;
  expect(await until(others, (share) => share === 0)).toBe(0);
  others.close();
});

it('have none when the queues can not be read', async () => {
  const others = watchOthers(() => Promise.reject(new Error('away')));
  others.share();
  await sleep(600);
  expect(others.share()).toBe(0);
  others.close();
});
