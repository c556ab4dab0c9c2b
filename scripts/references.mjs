// Every file that docs and comments name is there, and every link leads to a file and a heading of it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesIn } from './files.mjs';
import { root } from './processes.mjs';

const files = filesIn();
const read = (file) => readFileSync(join(root, file), 'utf8');

const endings = 'ts|mjs|cjs|js|md|py|sh|json|ya?ml';
const named = new RegExp(
  `(?<![\\w@$/:.*<>{}-])((?:\\.{1,2}/)*[\\w-][\\w./-]*\\.(?:${endings}))(?![\\w/.-]*[\\w/*]|[*<{])`,
  'g',
);

/** Files that are not in the repository, and why. */
const elsewhere = new Map([
  ['shop.yaml', 'an example of the settings of a workspace'],
  ['acme.yaml', 'an example of the settings of a company'],
  ['customers.yaml', 'an example of an integration'],
  ['exports.yaml', 'another one'],
  ['connections.yaml', 'an example of a part of the settings of a workspace'],
  ['segments.yaml', 'another one'],
  ['local.json', 'written by the local stack'],
  ['secrets.json', 'likewise'],
  ['decisions.md', 'to be mended with faults/src/oracle/model.ts, which alone names it'],
]);

/** What a build makes is there when its source is. */
const sourceOf = (name) => name.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
const isBundle = (name) => /^bundle\/[a-z-]+\.js$/.test(name);

const paths = new Set(files);
const endsOf = new Set(
  files.flatMap((file) => file.split('/').map((_, index, all) => all.slice(index).join('/'))),
);
const isThere = (from, name) =>
  [name, sourceOf(name)].some(
    (one) => paths.has(normalize(join(dirname(from), one))) || endsOf.has(one.replace(/^(\.{1,2}\/)+/, '')),
  ) || isBundle(name);

const comments = (text) =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*|(?:^|\s)#[^\n]*/g)].map(([comment]) => comment);

const texts = (file) => {
  if (file.endsWith('.md')) return [read(file)];
  return /\.(ts|mjs|cjs|sh|ya?ml|py)$|(^|\/)(Dockerfile|run)$/.test(file) ? comments(read(file)) : [];
};

const namesIn = (file) =>
  texts(file).flatMap((text) => [...text.replace(/https?:\S+/g, '').matchAll(named)].map(([, name]) => name));

const missing = files.flatMap((file) =>
  [...new Set(namesIn(file))]
    .filter((name) => !isThere(file, name) && !elsewhere.has(name))
    .map((name) => `${file}: there is no ${name}`),
);

/** Named ones, and those that GitHub makes of headings. */
const anchorsIn = (file) => [
  ...[...read(file).matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name]) => name),
  ...[...read(file).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
];

const linkProblem = (file, target) => {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path, anchor] = target.split('#');
  const to = path ? normalize(join(dirname(file), path)) : file;
  if (!existsSync(join(root, to))) return `${file}: the link ${target} leads nowhere`;
  if (anchor && to.endsWith('.md') && !anchorsIn(to).includes(anchor))
    return `${file}: ${to} has no heading #${anchor}`;
  return undefined;
};

const links = files
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => linkProblem(file, target) ?? []),
  );

const problems = new Set([...missing, ...links]);
for (const problem of problems) console.error(problem);
process.exitCode = problems.size > 0 ? 1 : 0;
