import { createFrames, frameOf } from './frames.ts';

const most = 1_000;

const through = (bytes: Buffer, part: number) => {
  const heard: unknown[] = [];
  let tooLarge = 0;
  const take = createFrames(most, {
    message: (one) => heard.push(one),
    tooLarge: () => {
      tooLarge += 1;
    },
  });
  for (let at = 0; at < bytes.length; at += part) take(bytes.subarray(at, at + part));
  return { heard, tooLarge };
};

const frame = (message: unknown): Buffer => Buffer.concat(frameOf(message, most) ?? []);

const messages = [
  { id: 1, value: { rows: [{ a: 'ä😀\ud800', b: null, c: [1.5, 1e300, -1], __proto__: undefined }] } },
  { id: 2, value: 2n ** 63n },
  { id: 3, end: true },
  JSON.parse('{"__proto__":{"toJSON":"x"}}'),
  {},
];

it.each([1, 3, 7, 10_000])('messages come as they were, in parts of %i bytes', (part) => {
  const { heard, tooLarge } = through(Buffer.concat(messages.map(frame)), part);
  expect(heard).toEqual(messages);
  expect(Object.hasOwn(heard[3] as object, '__proto__')).toBe(true);
  expect(tooLarge).toBe(0);
});

it('one that is too large is not sent', () => {
  expect(frameOf('x'.repeat(most), most)).toBeUndefined();
  expect(frameOf('x'.repeat(most - 2), most)).toBeDefined();
});

it('one that says that it is too large is not waited for', () => {
  const head = Buffer.from([0x7f, 0xff, 0xff, 0xff, 0]);
  expect(through(Buffer.concat([frame({}), head]), 5)).toEqual({ heard: [{}], tooLarge: 1 });
});
