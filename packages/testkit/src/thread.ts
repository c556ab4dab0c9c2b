/** A script of a thread as it is shipped: one file, which runs without the sources. */
import type { BuildOptions } from 'esbuild';

/** What is not ESM asks for `require`, which a bundle does not have of itself. */
const banner = {
  js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
};

/** Bundles this entry into a folder, as a file with the ending `.mjs`. */
export const bundleThread = async (folder: string, entry: Pick<BuildOptions, 'entryPoints' | 'stdin'>) => {
  // Loaded only by the few tests that bundle.
  const { build } = await import('esbuild');
  await build({
    ...entry,
    banner,
    bundle: true,
    format: 'esm',
    platform: 'node',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  });
};
