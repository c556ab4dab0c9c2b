// The manifests on real API servers of three versions: `kubectl apply -k k8s/overlays/local` as the README has it, and every object of every rendering by
// server-side dry run, where an unknown field or a warning is an error. Servers are built from the Go proxy, about ten minutes each, and kept.
// node scripts/accept-deploy.mjs [version ...] [--definitions file ...]
// `--definitions`: those of the Redis operator, which are in no module that could be fetched; without them its resources are untried.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { refuseBroken } from './accept-controls.mjs';
import { applyLocal, removeLocal } from './accept-local.mjs';
import { acceptObjects, typeOf } from './accept-objects.mjs';
import { startApiServer } from './api-server.mjs';
import { definitionFiles, withoutDefinition } from './custom-resources.mjs';
import { runQuiet } from './processes.mjs';
import { findKubectl, renderAll } from './rendering.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { definitions: { type: 'string', multiple: true, default: [] } },
});
const { definitions } = values;
const versions = positionals.length > 0 ? positionals : ['1.37.2', '1.36.3', '1.35.4'];

const program = await findKubectl();
const kubectl = (kubeconfig, args) =>
  runQuiet(program, ['--kubeconfig', kubeconfig, '--request-timeout=60s', ...args]);

/** kubectl for one server; a failure is an error. */
const commandsFor = (kubeconfig, dir) => {
  const run = (...args) => kubectl(kubeconfig, args);
  const must = async (...args) => {
    const { code, output } = await run(...args);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}\n${output.trim()}`);
    return output;
  };
  /** Objects in a file, as JSON, which is YAML. */
  const fileOf = (objects) => {
    const file = join(dir, 'objects.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    return file;
  };
  return { run, must, fileOf };
};

const addDefinitions = async ({ must }) => {
  for (const file of [...(await definitionFiles()), ...definitions])
    await must('apply', '--server-side', '-f', file);
  await must('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
};

/** Controls are tried once for each type, under the labels of the namespaces of their rendering. */
const acceptAll = async (commands, rendered) => {
  const counts = { accepted: 0, refused: 0 };
  const seen = new Set();
  for (const rendering of rendered) {
    counts.accepted += await acceptObjects(commands, rendering);
    const others = rendering.objects.filter((object) => !seen.has(typeOf(object)));
    counts.refused += await refuseBroken(commands, others);
    for (const object of others) seen.add(typeOf(object));
  }
  return counts;
};

const tryOn = async (version, commands, rendered) => {
  const { serverVersion } = JSON.parse(await commands.must('version', '-o', 'json'));
  if (serverVersion.gitVersion !== `v${version}`) throw new Error(`it is ${serverVersion.gitVersion}`);
  const applied = await applyLocal(commands, rendered);
  await removeLocal(commands, rendered);
  await addDefinitions(commands);
  const { accepted, refused } = await acceptAll(commands, rendered);
  console.log(
    `${version}: ${applied} objects of the local overlay applied, ${accepted} accepted in ${rendered.length} renderings, ${refused} broken ones refused`,
  );
};

const acceptOn = async (version, rendered) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-accept-'));
  const server = await startApiServer(version, dir, kubectl);
  try {
    await tryOn(version, commandsFor(server.kubeconfig, dir), rendered);
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

const isTried = (object) => definitions.length > 0 || !withoutDefinition.includes(typeOf(object));

const everything = await renderAll(program);
const rendered = everything.map(({ folder, objects }) => ({ folder, objects: objects.filter(isTried) }));
for (const version of versions)
  await acceptOn(version, rendered).catch((error) => {
    console.error(`${version}: ${error.message}`);
    process.exitCode = 1;
  });
for (const object of everything.flatMap(({ objects }) => objects.filter((each) => !isTried(each))))
  console.log(`UNTRIED ${typeOf(object)} ${object.metadata.name}: no definition of it`);
