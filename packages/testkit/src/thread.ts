/** A script of a thread as it is shipped: one file, which runs without the sources. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { useFolder } from './use-folder.ts';

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

/** Where the script of a thread is, for the tests of a file. */
export const useThread = (source: string): (() => URL) => {
  const inFolder = useFolder();
  beforeAll(() => bundleThread(inFolder(), { entryPoints: [source] }));
  return () => pathToFileURL(inFolder(`${basename(source, '.ts')}.mjs`));
};
