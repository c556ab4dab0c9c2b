// The types of the package in one file. Those of the operations are written out from their schemas, with the descriptions as comments, so that
// they need no other package and an editor shows what the reference says. All others are the compiler's.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationTypes } from './operation-types.mjs';

/** Whose types callers see, each after those that it needs. */
const modules = [
  'about',
  'call-options',
  'errors',
  'log',
  'middleware',
  'batch/types',
  'webhooks',
  'typed',
  'roster',
];

/** As they are in one file: none imports another, and what is exported is said at its end. */
const withoutDoors = (text) =>
  text
    .replace(/^\/\/# sourceMappingURL.*$/gm, '')
    .replace(/^import [^;]*;$/gm, '')
    .replace(/^export (?:type )?\{[^}]*\}(?: from '[^']*')?;$/gm, '')
    .replace(/^export (?=(?:declare|interface|type|abstract|const|class|function)\b)/gm, '')
    .trim();

const namesIn = (door) =>
  [...door.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type = '', names]) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => (name.startsWith('type ') ? name : type + name)),
  );

const small = 'type Fetch = (url: string, init: RequestInit) => Promise<Response>;';

const folder = fileURLToPath(new URL('..', import.meta.url));
const written = join(folder, 'node_modules/.cache/types/packages/client/src');

execFileSync('tsc', ['-p', folder], { stdio: 'inherit' });
const read = async (name) => readFile(join(written, `${name}.d.ts`), 'utf8');
const texts = await Promise.all(modules.map(async (name) => withoutDoors(await read(name))));
const names = namesIn(await read('index'));
const declarations = `${[small, operationTypes(), ...texts].join('\n\n')}\n\nexport { ${names.join(', ')} };\n`;
// Once: an ES module may take its types from CommonJS, and not the other way.
await writeFile(join(folder, 'dist/index.d.cts'), declarations);
await writeFile(join(folder, 'dist/index.d.ts'), "export * from './index.cjs';\n");
