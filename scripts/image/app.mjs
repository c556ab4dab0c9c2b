// Fills the folder of the application in a root file system: `node scripts/image/app.mjs <root file system>`. The compiler and the bundler have run.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { contents } from './contents.mjs';
import { assertLicences, noticesOf } from './licences.mjs';
import { makeSbom } from './sbom.mjs';

const isOnce = ({ name, version }, place, all) =>
  all.findIndex((other) => other.name === name && other.version === version) === place;

export const fillApp = async (target, nodeVersion = process.versions.node) => {
  const { copied, bundled } = contents();
  const packages = [...copied, ...bundled].filter(isOnce).sort((a, b) => (a.name < b.name ? -1 : 1));
  assertLicences(packages);
  const app = join(target, 'app');
  mkdirSync(app, { recursive: true });
  cpSync(join(root, 'bundle'), join(app, 'bundle'), { recursive: true });
  for (const file of ['package.json', 'LICENSE']) cpSync(join(root, file), join(app, file));
  // Without packages inside packages: each of these is in the list itself.
  for (const { folder } of copied)
    cpSync(join(root, folder), join(app, folder), {
      recursive: true,
      filter: (path) =>
        !path.slice(join(root, folder).length).includes('/node_modules') && !path.endsWith('.map'),
    });
  const debian = join(target, 'var/lib/dpkg/status.d');
  const sbom = await makeSbom({ packages, nodeVersion, debian });
  writeFileSync(join(app, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`);
  writeFileSync(join(app, 'third-party-licences.txt'), `${noticesOf(packages)}\n`);
  return { packages: packages.length, components: sbom.components.length };
};

if (process.argv[1] === import.meta.filename) await fillApp(process.argv[2]);
