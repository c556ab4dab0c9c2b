// The checks of an image, held against what they must find: a check that finds nothing there would find nothing anywhere.
import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAllowed } from './licences.mjs';
import { unpackLayout } from './oci.mjs';
import { judgeRoot } from './rules.mjs';

const file = (path, spoil = () => {}) => ({
  path,
  make(folder) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, '');
    chmodSync(target, 0o755);
    spoil(target);
  },
});

const bad = [
  file('usr/bin/npm'),
  file('bin/sh'),
  file('usr/bin/python3.11'),
  file('app/suid', (path) => chmodSync(path, 0o4755)),
  file('app/open', (path) => chmodSync(path, 0o777)),
  file('app/foreign', (path) => chownSync(path, 10001, 10001)),
];

const unnoticed = (folder) => {
  for (const one of bad) one.make(folder);
  mkdirSync(join(folder, 'app/node_modules/typescript'), { recursive: true });
  writeFileSync(join(folder, 'app/large'), Buffer.alloc(2_000_000));
  const { problems } = judgeRoot(folder, 1_000_000);
  const wanted = [...bad.map(({ path }) => path), 'app/node_modules/typescript', 'MB unpacked'];
  return wanted.filter((text) => !problems.some((problem) => problem.includes(text)));
};

/** A blob of the layout is changed. */
const damaged = async (layout, scraps) => {
  const copy = join(scraps, 'damaged');
  cpSync(layout, copy, { recursive: true });
  const [blob] = readdirSync(join(copy, 'blobs/sha256'));
  appendFileSync(join(copy, 'blobs/sha256', blob), 'x');
  return unpackLayout(copy, join(scraps, 'unpacked')).then(
    () => ['a damaged layer'],
    (error) => (/is damaged/.test(error.message) ? [] : [`a damaged layer: ${error.message}`]),
  );
};

/** What the checks did not notice. */
export const control = async (layout, scraps) => {
  const licences = ['GPL-3.0-only', 'MIT AND GPL-3.0-only', undefined].filter(isAllowed);
  return [...unnoticed(join(scraps, 'bad')), ...licences, ...(await damaged(layout, scraps))];
};
