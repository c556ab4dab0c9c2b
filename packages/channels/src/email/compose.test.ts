import { compose } from './compose.ts';
import { aLetter } from './testbed.ts';

const made = async (more: Parameters<typeof aLetter>[0]): Promise<string> => {
  const composition = await compose(aLetter(more));
  if ('fault' in composition) return composition.fault;
  // Without the line breaks of long lines.
  return Buffer.from(composition.bytes).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
};

const tooMuch = 'the HTML and its styles take too much work: send fewer elements or rules';

it('has a plain text beside the HTML', async () => {
  const body = '<h1>Sale</h1><p>Go <a href="https://example.com">there</a></p>';
  expect(await made({ body })).toContain('SALE\r\n\r\nGo there [https://example.com]');
  expect(await made({ body, plaintext: 'own' })).not.toContain('SALE');
});

it('hides its preheader, also in a whole page', async () => {
  const hidden = '<div style="display:none;max-height:0;overflow:hidden">Soon</div>';
  expect(await made({ preheader: 'Soon' })).toContain(`${hidden}<p>Hi</p>`);
  const body = '<html><body class="x"><p>Hi</p></body></html>';
  expect(await made({ body, preheader: 'Soon' })).toContain(`<body class="x">${hidden}<p>Hi</p>`);
});

it('has styles in its tags when that is wanted', async () => {
  const body = '<style>p { color: red }</style><p>Hi</p>';
  expect(await made({ body, isInlined: true })).toContain('\r\n<p style="color: red;">Hi</p>');
  expect(await made({ body })).toContain(body);
});

it('names no file that this process would read', async () => {
  const body = { path: '/etc/hostname' } as unknown as string;
  expect(await made({ body })).toMatch(/^the email cannot be made: /);
});

const rules = (n: number, selector: string): string =>
  `<style>${Array.from({ length: n }, (_, at) => `${selector.replaceAll('N', `${at}`)} { color: red }`).join('')}</style>`;

it.each([
  ['1,300 rules for each of 1,500 elements', `${rules(1300, 'b:not(.xN)')}${'<b>x</b>'.repeat(1500)}`],
  [
    'rules that look up a deep text',
    `${rules(600, 'i b i b i b i')}${'<i>'.repeat(250)}`.concat('</i>'.repeat(250)).repeat(20),
  ],
  ['rules that look along many neighbours', `${rules(10, 'b:nth-last-child(Nn)')}${'<b>x</b>'.repeat(5000)}`],
  ['200 KB of selectors', `<style>${'a '.repeat(200_000)}{ color: red }</style>`],
  [
    'rules of thousands of declarations',
    `<style>b { ${'a: b; '.repeat(5000)} }</style>${'<b>x</b>'.repeat(200)}`,
  ],
  ['a million elements', '<p>'.repeat(300_000)],
  ['lists within lists', `${'<ul><li>'.repeat(100)}${'x<br>'.repeat(5000)}${'</ul>'.repeat(100)}`],
  ['thousands of lines', '<hr>'.repeat(10_000)],
])('is refused with %s', async (_what, body) => {
  expect((await made({ body, isInlined: true })).slice(0, 100)).toBe(tooMuch);
});

it('is refused when its styles make it too long', async () => {
  const style = Array.from({ length: 1000 }, (_, at) => `a${at}: b`).join(';');
  const body = `<style>b { ${style} }</style>${'<b>x</b>'.repeat(300)}`;
  expect(await made({ body, isInlined: true })).toBe('the HTML has more than 2097152 characters');
});

it.each([256, 257, 1000, 100_000])('%i tags inside each other: refused beyond 256', async (depth) => {
  const body = `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;
  const made256 = await made({ body, isInlined: true });
  if (depth > 256) expect(made256).toBe('the HTML has tags more than 256 deep');
  else expect(made256).toContain('Subject: Hi');
});
