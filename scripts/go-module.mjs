// Modules of the Go proxy: their folders, and programs built from them, kept in the cache.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache } from './cache.mjs';
import { root } from './processes.mjs';

const run = promisify(execFile);

const env = { ...process.env, CGO_ENABLED: '0' };

const go = async (args, cwd, timeout) => {
  try {
    return (await run('nice', ['-n', '15', 'go', ...args], { cwd, env, timeout, maxBuffer: 16e6 })).stdout;
  } catch (error) {
    throw new Error(`go ${args[0]}: ${error.killed ? 'no end in time' : error.stderr || error.message}`);
  }
};

const minute = 60_000;

/** The folder of a module, as `module@version`. */
export const moduleFolder = async (name) =>
  JSON.parse(await go(['mod', 'download', '-json', name], root, 5 * minute)).Dir;

/** A module may stand on folders beside it. In a published one they are missing, and published as modules of their own. */
const replacements = (text, published) =>
  [...text.matchAll(/^\s*(\S+) => \.\/staging\/\S+$/gm)].map(
    ([, name]) => `\t${name} => ${name} ${published}`,
  );

const manifest = async ({ module, version, published }) => {
  const text = readFileSync(join(await moduleFolder(`${module}@${version}`), 'go.mod'), 'utf8');
  const kept = text.match(/^(go|godebug) .*$/gm) ?? [];
  return [
    'module build',
    ...kept,
    `require ${module} ${version}`,
    'replace (',
    ...replacements(text, published),
    ')',
    '',
  ].join('\n');
};

/** A main module of its own: `go install` refuses modules with replacements. */
const build = async (program, folder) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'go.mod'), await manifest(program));
  const source = `//go:build tools\n\npackage build\n\nimport _ "${program.main}"\n`;
  writeFileSync(join(folder, 'tools.go'), source);
  // `-mod=mod`: the sums of modules are asked of Go's checksum database as they come.
  const flags = [
    '-mod=mod',
    '-p',
    '2',
    '-trimpath',
    '-ldflags',
    ['-s -w', ...(program.settings ?? [])].join(' '),
  ];
  await go(['build', ...flags, '-o', 'program.part', program.main], folder, 60 * minute);
  renameSync(join(folder, 'program.part'), join(folder, program.name));
};

/** The path of a program: `{ name, module, version, main, published, settings }`. */
export const goProgram = async (program) => {
  const folder = join(cache, 'go', `${program.name}-${program.version}`);
  const path = join(folder, program.name);
  if (existsSync(path)) return path;
  console.log(`Building ${program.name} ${program.version} ...`);
  const began = performance.now();
  await build(program, folder);
  console.log(`  took ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return path;
};
