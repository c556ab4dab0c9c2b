// Which licences may be in an image.
import { licenceTexts } from './contents.mjs';

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  // File by file, and none of these files is changed.
  'MPL-2.0',
  'Unlicense',
]);

/** What a package says that is no name of a licence, read by a person. */
const read = { 'MIT (http://mootools.net/license.txt)': 'MIT' };

/** Debian's packages by name: libraries that a program may be linked to. */
export const debianLicences = {
  libc6: 'LGPL-2.1-or-later',
  'gcc-12-base': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libgcc-s1': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libstdc++6': 'GPL-3.0-or-later WITH GCC-exception-3.1',
};

/** The licence of a package by its usual name. */
export const licenceOf = ({ license }) => read[license] ?? license;

/** Of `A OR B` one has to be allowed. Anything else that is not one name is refused. */
export const isAllowed = (licence) =>
  typeof licence === 'string' &&
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.has(one));

/** Throws with all packages whose licence is not allowed. */
export const assertLicences = (packages) => {
  const refused = packages.filter((one) => !isAllowed(licenceOf(one)));
  if (refused.length === 0) return;
  const lines = refused.map(({ name, version, license }) => `  ${name}@${version}: ${license ?? 'none'}`);
  throw new Error(`licences that are not on the list of scripts/image/licences.mjs:\n${lines.join('\n')}`);
};

/** One file with the terms of everything from npm: bundles hold code without its licence. */
export const noticesOf = (packages) =>
  packages
    .map((one) => {
      const texts = licenceTexts(one);
      const head = `${one.name} ${one.version} (${one.license})`;
      return [
        head,
        '='.repeat(head.length),
        ...(texts.length > 0 ? texts : ['(no text in the package)']),
      ].join('\n\n');
    })
    .join('\n\n\n');
