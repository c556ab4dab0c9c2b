/** How each runtime runs a script of the project: what it says on standard output. */
import { ensureRuntime } from '@roster/local-stack';
import { type Place, type Project, run, type Seen } from './project.ts';

const timeout = 30_000;

interface Program {
  name: string;
  /** Fetches it, where it is not there yet. */
  path(): Promise<string>;
  /** Before the script's name. */
  args: string[];
}

/** Those with a process of their own. Deno gives no more than the network. */
export const programs: Program[] = [
  { name: 'Node', path: async () => process.execPath, args: [] },
  { name: 'Deno', path: () => ensureRuntime('deno'), args: ['run', '--no-prompt', '--allow-net=127.0.0.1'] },
  { name: 'Bun', path: () => ensureRuntime('bun'), args: ['run'] },
];

const env = { PATH: process.env.PATH, NO_COLOR: '1' };

export const runScript = async ({ path, args }: Program, { folder }: Project, file: string) => {
  const { stdout } = await run(await path(), [...args, file], { cwd: folder, timeout, env });
  return stdout;
};

export const lookBy = async (program: Program, project: Project, place: Place): Promise<Seen> => {
  const main = `import { look } from './look.mjs';\nconsole.log(JSON.stringify(await look(${JSON.stringify(place)})));`;
  return JSON.parse(await runScript(program, project, await project.put('main.mjs', main)));
};

const worker = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = .worker),
  (name = "outside", network = (allow = ["private"])),
]);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "look.mjs", esModule = embed "look.mjs"),
    (name = "@roster/client", esModule = embed "node_modules/@roster/client/dist/index.js"),
  ],
  compatibilityDate = "2026-11-01",
  globalOutbound = "outside",
);`;

/** A worker has no main program: it is run as its own test. */
export const lookByWorkerd = async (project: Project, place: Place): Promise<Seen> => {
  const main = `import { look } from './look.mjs';
    export default { test: async () => console.log(JSON.stringify(await look(${JSON.stringify(place)}))) };`;
  await project.put('worker.mjs', main);
  const config = await project.put('worker.capnp', worker);
  const path = await ensureRuntime('workerd');
  const { stdout } = await run(path, ['test', config], { cwd: project.folder, timeout, env });
  return JSON.parse(stdout);
};
