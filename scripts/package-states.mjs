// What each package and what it uses is made of, as one hash: when it is the same, the tests of the package need not run again.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Every test uses them. */
const shared = [
  'package-lock.json',
  'jest.preset.cjs',
  'scripts',
  'packages/testkit',
  'packages/local-stack',
];

/** They start the whole system and read its documents. */
const ofEverything = ['packages/cli', 'packages/local-stack', 'e2e'];

/** Read by tests, and in no package that these use. */
const alsoRead = { 'packages/channels': ['tsconfig.check.json'], 'packages/runtime': ['SECURITY.md'] };

/** Files that are, or may be, in the repository. */
export const filesIn = (root, paths = []) => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
};

/** Of `folders` in the checkout `root`. */
export const statesIn = (root, folders) => {
  const manifests = new Map(
    filesIn(root, ['*/package.json']).map((file) => [
      dirname(file),
      JSON.parse(readFileSync(join(root, file), 'utf8')),
    ]),
  );
  const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));

  const withUsed = (folder, found = new Set()) => {
    if (found.has(folder)) return found;
    found.add(folder);
    const { dependencies, devDependencies } = manifests.get(folder);
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      if (folderOf.has(name)) withUsed(folderOf.get(name), found);
    return found;
  };

  const stateOf = (folder) => {
    const own = [...shared, ...withUsed(folder), ...(alsoRead[folder] ?? [])];
    const state = createHash('sha256');
    for (const file of filesIn(root, ofEverything.includes(folder) ? [] : own))
      state.update(`${file}\0`).update(readFileSync(join(root, file)));
    return state.digest('hex');
  };

  return Object.fromEntries(folders.map((folder) => [folder, stateOf(folder)]));
};
