/** What `npm run docs-check` finds in a page: real shells, without a stack. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useFolder } from '@roster/testkit';

const script = pathToFileURL(join(__dirname, '../../scripts/docs-check/check-pages.mjs')).href;
const run = `
  const { checkPages } = await import(${JSON.stringify(script)});
  const [text, folder] = process.argv.slice(1);
  const lines = [];
  const place = { cwd: folder, scraps: folder, env: process.env, say: (line) => lines.push(line) };
  const totals = await checkPages([{ page: 'page.md', text }], place);
  console.log(JSON.stringify({ totals, lines }));
`;

const inFolder = useFolder({ forEach: true });

const check = (...lines: string[]) => {
  const args = ['--input-type=module', '-e', run, '--', lines.join('\n'), inFolder()];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

const block = (kind: string, ...lines: string[]): string[] => [`\`\`\`${kind}`, ...lines, '```', ''];

it('runs the blocks of a page in one shell, and compares their answers', () => {
  const { totals } = check(
    ...block('sh', 'NAME=ada'),
    ...block('sh', 'echo "{\\"name\\":\\"$NAME\\",\\"time\\":\\"12:00\\"}"'),
    ...block('json', '{ "name": "ada", "time": "..." }'),
    ...block('text', 'This is about nothing.'),
  );
  expect(totals).toEqual({ run: 2, notRun: 0, failed: 0 });
});

it('finds an answer that is not what the page shows', () => {
  const { totals, lines } = check(...block('sh', 'echo two'), ...block('text', 'three'));
  expect(totals).toEqual({ run: 1, notRun: 0, failed: 1 });
  expect(lines[0]).toBe('FAIL  page.md:1: the page shows\nthree\nbut it printed\ntwo\n');
});

it('finds a command that fails, and one in front of others', () => {
  const { totals, lines } = check(...block('sh', 'false', 'echo done'), ...block('text', 'done'));
  expect(totals.failed).toBe(1);
  expect(lines[0]).toContain('(exit code 1: false)');
});

it('finds a shell that ends, and a block without a kind', () => {
  expect(check(...block('sh', 'exit 0')).lines[0]).toContain('it did not end');
  expect(check(...block('', 'echo hidden')).lines[0]).toContain('does not say its kind');
});

it('copies from what was printed, as a reader does', () => {
  const printing = block('sh', `echo '{"dispatch_id":"d-17"}'`);
  const { totals } = check(
    ...printing,
    ...block('sh', 'echo "it is <dispatch_id>"'),
    ...block('text', 'it is d-17'),
  );
  expect(totals).toEqual({ run: 2, notRun: 0, failed: 0 });
  const { lines } = check(...block('sh', 'echo <dispatch_id>'));
  expect(lines[0]).toContain('nothing before it has printed dispatch_id');
});

it('counts what is not run, with the reason', () => {
  const { totals, lines } = check(
    '<!-- not run: needs Kubernetes -->',
    ...block('sh', 'exit 1'),
    '<!-- needs: no-such-command -->',
    ...block('sh', 'exit 1'),
  );
  expect(totals).toEqual({ run: 0, notRun: 2, failed: 0 });
  expect(lines).toEqual([
    'not   page.md:2: needs Kubernetes',
    'not   page.md:7: no-such-command is not installed',
  ]);
});

it('runs a block that may take a moment until its answer is there', () => {
  const { totals } = check(
    '<!-- may take a moment -->',
    ...block('sh', 'echo x >>turns', 'wc -l <turns'),
    ...block('text', '3'),
  );
  expect(totals).toEqual({ run: 1, notRun: 0, failed: 0 });
});
