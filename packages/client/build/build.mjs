// Makes what the package runs out of what is compiled: one file of each kind, without schemas and their validators. Its types: types.mjs.
// Nothing of it is kept: it follows from the sources and from the table of operations.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const parts = join(folder, 'dist/parts');

/** The module as it is after it was loaded: its values, and nothing that they were worked out from. */
const workedOut = {
  name: 'worked-out',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/parts\/table\.js$/ }, async ({ path }) => {
      const values = Object.entries(await import(path));
      const text = values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: text.join('\n'), loader: 'js' };
    });
  },
};

const bundle = (format, file) =>
  build({
    entryPoints: [join(parts, 'index.js')],
    outfile: join(folder, 'dist', file),
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    plugins: [workedOut],
    logLevel: 'warning',
  });

await bundle('esm', 'index.js');
await bundle('cjs', 'index.cjs');
