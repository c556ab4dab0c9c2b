/** How each runtime runs the scripts of a project. */
import type { Place, Project } from './project.ts';
import { ensureRuntime, type RuntimeName } from './runtimes.ts';

/** Those with a process of their own. Deno gives no permission but the network. */
export const programs: { name: string; runtime?: RuntimeName; args: string[] }[] = [
  { name: 'Node', args: [] },
  { name: 'Deno', runtime: 'deno', args: ['run', '--no-prompt', '--allow-net=127.0.0.1'] },
  { name: 'Bun', runtime: 'bun', args: ['run'] },
];

/** Where it is; `undefined`, and told, where it can't be had. */
export const pathOf = async (runtime?: RuntimeName): Promise<string | undefined> => {
  if (!runtime) return process.execPath;
  return ensureRuntime(runtime).catch((error: Error) => {
    process.stderr.write(`NOT TRIED ${runtime}: ${error.message}\n`);
    return undefined;
  });
};

/** Looks around, then plays the examples of the page. */
export const expressionFor = (place: Place): string =>
  `(async () => ({ seen: await look(${JSON.stringify(place)}), said: await play(${JSON.stringify(place)}) }))()`;

export const imports = `import { look } from './look.mjs'; import { play } from './examples.mjs';`;

const worker = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = .worker),
  (name = "outside", network = (allow = ["private"])),
]);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "look.mjs", esModule = embed "look.mjs"),
    (name = "examples.mjs", esModule = embed "examples.mjs"),
    (name = "@roster/client", esModule = embed "node_modules/@roster/client/dist/index.js"),
  ],
  compatibilityDate = "2026-11-01",
  globalOutbound = "outside",
);`;

/** A worker has no main program: it is run as its own test. */
export const askWorkerd = async (path: string, project: Project, place: Place): Promise<unknown> => {
  const test = `async () => console.log(JSON.stringify(await ${expressionFor(place)}))`;
  await project.put('worker.mjs', `${imports} export default { test: ${test} };`);
  return JSON.parse(await project.run(path, ['test', await project.put('worker.capnp', worker)]));
};
