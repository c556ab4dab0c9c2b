/** The thread that reads Parquet files, as it is shipped. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleThread } from '@roster/testkit';

/** The script of the thread and a folder for files, for the tests of a file. */
export const useParquet = () => {
  const places = { script: '', folder: '' };
  let scraps = '';
  beforeAll(async () => {
    scraps = await mkdtemp(join(tmpdir(), 'roster-parquet-'));
    await bundleThread(scraps, { entryPoints: [join(__dirname, 'parquet-thread.ts')] });
    places.script = join(scraps, 'parquet-thread.mjs');
  });
  afterAll(() => rm(scraps, { recursive: true }));
  beforeEach(async () => {
    places.folder = await mkdtemp(join(scraps, 'files-'));
  });
  return places;
};
