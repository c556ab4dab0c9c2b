// Makes what the package runs out of what is compiled: one file of each kind, without schemas and their validators. Its types: types.mjs.
// Nothing of it is kept: it follows from the sources and from the table of operations.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** A line for each row, as short as it can be: most are POST, and have the words of their id as path. */
const lineOf = ({ id, method, path, body, query, writes, scim, paging }) => {
  const flags = `${body ? 'b' : ''}${query ? 'q' : ''}${writes ? 'w' : ''}${scim ? 's' : ''}`;
  const isUsual = path === `/${id.replaceAll('.', '/')}`;
  const { list = '', by = '' } = paging ?? {};
  return [
    id,
    flags === 'bw' ? '' : flags || '-',
    method === 'POST' ? '' : method,
    isUsual ? '' : path,
    list,
    by,
  ]
    .join(' ')
    .trimEnd();
};

const tableOf = (
  table,
) => `export const table = ${JSON.stringify(table.map(lineOf).join('\n'))}.split('\\n').map((line) => {
  const [id, flags, method, path, list, by] = line.split(' ');
  const has = (flag) => (flags || 'bw').includes(flag);
  return {
    id,
    method: method || 'POST',
    path: path || '/' + id.replaceAll('.', '/'),
    body: has('b'), query: has('q'), writes: has('w'), scim: has('s'),
    paging: by && { list, by },
  };
});`;

/** The module as it is after it was loaded: its values, and nothing that they were worked out from. */
const workedOut = {
  name: 'worked-out',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/table\.ts$/ }, async () => {
      const { table } = await import('../dist/parts/table.js');
      return { contents: tableOf(table), loader: 'js' };
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
