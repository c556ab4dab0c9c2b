// An error that nobody hears of needs a reason beside it: a comment in its line, in the one before, or inside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.mjs';
import { root } from './processes.mjs';

const isOurs = (file) =>
  /^(packages|services)\/[^/]+\/src\/.*\.ts$/.test(file) &&
  !/\.test\.ts$|\/testbed\.ts$|^packages\/testkit\//.test(file);

const nothing = String.raw`(\{\s*\}|undefined|null|true|false|0|''|\[\])`;
const silent = new RegExp(
  String.raw`\bcatch\s*(\(\w+\)\s*)?\{\s*\}|\.catch\(\s*\((_\w*)?\) => ${nothing}\s*,?\s*\)|\.on\('error', \(\) => \{\s*\}\)|\bonError: \(\) => \{\s*\}`,
  'g',
);

const hasReason = (lines, at) => [lines[at - 1], lines[at]].some((line) => /\/\/ |\*\//.test(line ?? ''));

const found = filesIn()
  .filter(isOurs)
  .flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.split('\n');
    return [...text.matchAll(silent)]
      .map(({ index }) => text.slice(0, index).split('\n').length - 1)
      .filter((at) => !hasReason(lines, at))
      .map(
        (at) =>
          `${file}:${at + 1}: an error is lost here: log it, count it, or say beside it why nobody needs to know`,
      );
  });

for (const one of found) console.error(one);
process.exitCode = found.length > 0 ? 1 : 0;
