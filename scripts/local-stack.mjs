// The local stack for scripts that may be called straight, before anything was built.
import { join } from 'node:path';
import { root, runQuiet, tool } from './processes.mjs';

export const localStack = async () => {
  const args = [tool('typescript/bin/tsc'), '-b', join(root, 'packages/local-stack')];
  const { code, output } = await runQuiet(process.execPath, args);
  if (code !== 0) throw new Error(`packages/local-stack does not build:\n${output}`);
  return import('@roster/local-stack');
};
