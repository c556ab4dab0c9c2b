import { createSignal } from '@roster/testkit';
import { createBehind } from './behind.ts';

it('the next work is prepared while one goes on, and begins when that has ended', async () => {
  const seen: string[] = [];
  const behind = createBehind();
  const first = createSignal();
  await behind.start(() => first.given);
  const next = behind.start(async () => void seen.push('second'));
  seen.push('prepared');
  first.give();
  await next;
  await behind.ended();
  expect(seen).toEqual(['prepared', 'second']);
});

it('after a failure no other work begins, and everybody hears of it', async () => {
  const behind = createBehind();
  const other = jest.fn();
  await behind.start(() => Promise.reject(new Error('the first one')));
  await expect(behind.start(other)).rejects.toThrow('the first one');
  await expect(behind.ended()).rejects.toThrow('the first one');
  await expect(behind.start(other)).rejects.toThrow('the first one');
  expect(other).not.toHaveBeenCalled();
});
