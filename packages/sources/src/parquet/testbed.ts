/** Parquet files in a folder, read by the thread as it is shipped. */
import { join } from 'node:path';
import { useFolder, useThread } from '@roster/testkit';
import { openFiles } from '../files/files.ts';
import { openFolder } from '../files/folder.ts';
import { inRoot, patient, readAll } from '../testbed.ts';
import { createParquet } from './parquet.ts';
import type { ThreadOptions } from './thread.ts';

interface Opening extends ThreadOptions {
  readonly columns?: readonly string[];
}

/** For the tests of a file; each has a folder of its own. */
export const useParquet = () => {
  const script = useThread(join(__dirname, 'parquet-thread.ts'));
  const inFolder = useFolder({ forEach: true });
  const inThread = (): ThreadOptions => ({ script: script(), threadMs: patient.silenceMs });
  const open = ({ columns, ...options }: Opening = {}) =>
    openFiles(
      openFolder(inRoot(inFolder())),
      { format: 'parquet', updatedAt: 'UPDATED_AT', tie: 'id', ...(columns && { columns }) },
      { limits: patient, format: createParquet({ ...inThread(), ...options }) },
    );
  /** Rows, and what is wrong with what is none. */
  const rowsOf = async (options: Opening = {}) =>
    (await readAll(open(options))).map(({ row, problem }) => row ?? problem);
  return { inFolder, inThread, open, rowsOf };
};
