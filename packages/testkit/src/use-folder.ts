import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a name in the folder, or of the folder itself. */
export type InFolder = (...names: readonly string[]) => string;

/**
 * A folder for the tests of a file, or for each test one of its own. It is made when it is first asked for, also in a hook that stands before,
 * and removed before what stands in a later `afterAll` or `afterEach`: what still writes there is ended in an earlier one.
 */
export const useFolder = ({ forEach = false } = {}): InFolder => {
  let folder: string | undefined;
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  };
  if (forEach) afterEach(remove);
  else afterAll(remove);
  return (...names) => {
    folder ??= mkdtempSync(join(tmpdir(), 'roster-test-'));
    return join(folder, ...names);
  };
};
