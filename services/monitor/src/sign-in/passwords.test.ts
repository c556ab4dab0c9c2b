import { passwordProblem } from './passwords.ts';

const own = ['ada.lovelace@acme.test', 'acme'];

it.each([
  'correct horse battery staple',
  'chosen by Ada herself',
  'Mondeluz-kettle-9',
  'eine Lampe mit drei Füßen',
  'x9$x9$ tulip and a bridge',
])('%j is good enough', async (password) => {
  expect(await passwordProblem(password, own)).toBeUndefined();
});

it.each([
  'qwerty123456',
  '123456789012',
  'aaaaaaaaaaaaaaaa',
  'abcabcabcabcabc',
  'password1234',
  'ada.lovelace@acme.test',
  'lovelaceacme1',
  'AdaLovelace1815',
  'lovelace-lovelace',
  'lovelace-ada-love',
  'Roster!Ada.2026',
  'x'.repeat(200),
])('%j is among the first that others try', async (password) => {
  expect(await passwordProblem(password, own)).toContain('among the first');
});

it.each([
  ['eleven char', '12 characters at least'],
  ['x'.repeat(201), '200 characters at most'],
])('%j has the wrong length', async (password, words) => {
  expect(await passwordProblem(password, own)).toContain(words);
});
