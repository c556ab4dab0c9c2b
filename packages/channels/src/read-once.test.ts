import { readOnce } from './read-once.ts';

const counted = () => {
  let n = 0;
  const read = readOnce((text) => {
    n += 1;
    if (text === '') throw new Error('no text');
    return { text };
  });
  return { read, times: () => n };
};

test('a text is read once, and gives the same value each time', () => {
  const { read, times } = counted();
  expect(read('a')).toBe(read('a'));
  expect(read('b')).toEqual({ text: 'b' });
  expect(times()).toBe(2);
});

test('what is wrong is said each time', () => {
  const { read, times } = counted();
  for (const _ of [1, 2]) expect(() => read('')).toThrow('no text');
  expect(times()).toBe(2);
});

test('no more than 1,000 are kept', () => {
  const { read, times } = counted();
  for (let n = 0; n <= 1000; n += 1) read(`${n}`);
  read('1000');
  expect(times()).toBe(1001);
  read('0');
  expect(times()).toBe(1002);
});
