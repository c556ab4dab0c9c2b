import { formOf, liquidIn } from './texts.ts';

const shared = { a: 'x', b: ['y'] };
const content = {
  title: '{{t}}',
  list: ['a', '{{l}}', { inner: '{% if x %}' }],
  ['__proto__']: '{{p}}',
  shared,
};

it('puts each text into its place, and copies only what stands around it', () => {
  const places = liquidIn(content);
  const { withTexts } = formOf(content, places);
  const written = withTexts(places.map((_, n) => `text ${n}`));
  expect(JSON.stringify(written)).toBe(
    '{"title":"text 0","list":["a","text 1",{"inner":"text 2"}],"__proto__":"text 3","shared":{"a":"x","b":["y"]}}',
  );
  expect(written.shared).toBe(shared);
  expect(content.title).toBe('{{t}}');
});

it('tells what a copy takes', () => {
  const few = { a: '{{x}}', others: { b: 1 } };
  const many = { a: '{{x}}', ...Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, n])) };
  const bytesOf = (of: typeof few | typeof many): number => formOf(of, liquidIn(of)).bytes;
  expect(bytesOf(many) / bytesOf(few)).toBeGreaterThan(400);
});
