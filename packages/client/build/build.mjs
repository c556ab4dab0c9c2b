// Makes what the package runs out of what is compiled: one file of each kind, without schemas and their validators. Its types: types.mjs.
// Nothing of it is kept: it follows from the sources and from the table of operations.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The module as it is after it was loaded: its values, and nothing that they were worked out from. */
const workedOut = {
  name: 'worked-out',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/table\.ts$/ }, async () => {
      const values = Object.entries(await import('../dist/parts/table.js'));
      const text = values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { contents: text.join('\n'), loader: 'js' };
    });
  },
};

const bundle = (format, file) =>
  build({
    entryPoints: [join(folder, 'src/index.ts')],
    outfile: join(folder, 'dist', file),
    bundle: true,
    sourcemap: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    plugins: [workedOut],
    logLevel: 'warning',
  });

await bundle('esm', 'index.js');
await bundle('cjs', 'index.cjs');
