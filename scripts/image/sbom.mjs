// The list of everything in an image, in CycloneDX: npm's own list, cut down to what is inside, with node and the packages of Debian.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runQuiet } from '../processes.mjs';
import { debianLicences, licenceOf } from './licences.mjs';

const keyOf = ({ name, version }) => `${name}@${version}`;

/** As npm names a scoped package: the scope stands apart. */
const npmKey = ({ group, name, version }) => keyOf({ name: group ? `${group}/${name}` : name, version });

const debianFields = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^(Package|Version|Architecture): (.*)$/gm)].map(([, name, value]) => [name, value]),
  );

const licensed = (expression) => [{ expression }];

const debianComponents = (folder) =>
  readdirSync(folder)
    .sort()
    .map((file) => {
      const {
        Package: name,
        Version: version,
        Architecture: arch,
      } = debianFields(readFileSync(join(folder, file), 'utf8'));
      const licence = debianLicences[name];
      if (!licence)
        throw new Error(`scripts/image/licences.mjs does not know the licence of Debian's ${name}`);
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}&distro=bookworm`;
      return { 'bom-ref': purl, type: 'library', name, version, purl, licenses: licensed(licence) };
    });

const nodeComponent = (version) => {
  const purl = `pkg:generic/node@${version}`;
  return { 'bom-ref': purl, type: 'application', name: 'node', version, purl, licenses: licensed('MIT') };
};

const npmList = async () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await runQuiet(npm, ['sbom', '--sbom-format', 'cyclonedx', '--loglevel=error']);
  if (code !== 0) throw new Error(`npm sbom failed:\n${output}`);
  return JSON.parse(output);
};

/** The same packages give the same list: neither time nor serial number. */
export const makeSbom = async ({ packages, nodeVersion, debian }) => {
  const { serialNumber: _, metadata, components, dependencies, ...list } = await npmList();
  const licences = new Map(packages.map((one) => [keyOf(one), licenceOf(one)]));
  const kept = components
    .filter((one) => licences.has(npmKey(one)))
    // npm leaves out what is no name of a licence.
    .map((one) => ({ ...one, licenses: one.licenses ?? licensed(licences.get(npmKey(one))) }));
  const known = new Set(kept.map(npmKey));
  const unknown = packages.filter((one) => !known.has(keyOf(one)));
  if (unknown.length > 0) throw new Error(`npm sbom does not list ${unknown.map(keyOf).join(', ')}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const others = [nodeComponent(nodeVersion), ...debianComponents(debian)];
  const refs = new Set(kept.map((one) => one['bom-ref']));
  const { timestamp: __, component, ...more } = metadata;
  return {
    ...list,
    metadata: { ...more, component: { ...component, type: 'application', name: 'roster', version } },
    components: [...kept, ...others],
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
};
