// Runs the shell blocks of k8s/README.md in a copy, with a stand-in for each program that needs a cluster, and looks at what these were asked to do.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '../deployed.mjs';
import { blocksOf } from '../docs-check/blocks.mjs';

const standIn = fileURLToPath(new URL('calls.sh', import.meta.url));
const programs = ['kubectl', 'helm', 'docker', 'kind', 'npm', 'curl'];

/** What the stand-ins were called with when bash runs `code` in `folder`. */
const callsOf = (code, folder) => {
  const scraps = mkdtempSync(join(folder, 'calls-'));
  const [bin, calls] = [join(scraps, 'bin'), join(scraps, 'calls')];
  for (const one of [bin, calls]) mkdirSync(one);
  for (const program of programs) symlinkSync(standIn, join(bin, program));
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CALLS: calls };
  const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', `${code}\nwait`], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`bash ended with ${status}: ${stderr}`);
  return readdirSync(calls).map((file) => readFileSync(join(calls, file), 'utf8').split('\0').slice(0, -1));
};

/** Flags are read before --help is. What comes after `--` is for the pod. */
const faultOfFlags = (program, path, args) => {
  const end = args.indexOf('--');
  const asked = [...(end < 0 ? args : args.slice(0, end)), '--help'];
  const { status, stdout, stderr } = spawnSync(path, asked, { encoding: 'utf8' });
  const words = args.filter((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith('-'));
  const isKnown = new RegExp(`^ +${program} (${words.join('|')})\\b`, 'm').test(stdout);
  return status === 0 && isKnown
    ? []
    : [`${program} ${args.join(' ')}: ${stderr.trim() || 'there is no such command'}`];
};

const fileFlags = ['-k', '-f', '--values'];
const missingFiles = (args, folder) =>
  args.flatMap((arg, index) =>
    fileFlags.includes(arg) && !existsSync(join(folder, args[index + 1]))
      ? `there is no ${args[index + 1]}`
      : [],
  );

/** `kubectl exec ... deploy/<name> -- node bundle/roster.js`: that pod has what the command needs. */
const faultsOfExec = (args, deployments) => {
  const target = args.find((arg) => arg.startsWith('deploy/'));
  if (args.includes('exec') && !target) return ['exec into something that is no Deployment'];
  if (!target) return [];
  const pod = deployments.get(target.replace('deploy/', ''));
  if (!pod) return [`there is no Deployment ${target}`];
  const has = new Set(pod.containers[0].env.map(({ name }) => name));
  const needed = args.includes('exec') ? ['REDIS_URL', 'MONGO_URL', 'ROSTER_SECRET'] : [];
  return needed.filter((name) => !has.has(name)).map((name) => `${target} has no ${name}`);
};

const bodyOf = (args) => args[args.indexOf('-d') + 1].replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, '<time>');
/** Without `-i`, and with other host names, it is the same request. */
const requestsIn = (calls) =>
  calls.flatMap(([program, ...args]) =>
    program === 'curl' && args.includes('-d')
      ? JSON.stringify([
          args.find((arg) => arg.includes('/users/'))?.replace(/^.*(?=\/users\/)/, ''),
          bodyOf(args),
        ])
      : [],
  );

const codeOf = (file, wanted = () => true) =>
  blocksOf(file, read(file))
    .map(({ code }) => code)
    .filter(wanted)
    .join('\n');

/** All blocks, in their order, in a folder with a copy of k8s/: what `local` needs is there then. */
export const runReadme = (folder) => callsOf(codeOf('k8s/README.md'), folder);

const isRequest = (code) => code.startsWith('curl') && !code.includes('<request_id>');

/** What is wrong with the commands, for the Deployments of the overlay that they apply. */
export const faultsOfReadme = ({ calls, folder, tools, objects }) => {
  const deployments = new Map(
    objects
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => [metadata.name, spec.template.spec]),
  );
  const ofReadme = `URL=http://127.0.0.1 KEY=key\n${codeOf('README.md', isRequest)}`;
  const documented = new Set(requestsIn(callsOf(ofReadme, folder)));
  const faultsOf = ([program, ...args]) => [
    ...(tools[program] ? faultOfFlags(program, tools[program], args) : []),
    ...missingFiles(args, folder),
    ...(program === 'kubectl' ? faultsOfExec(args, deployments) : []),
  ];
  const requests = requestsIn(calls);
  const controls = [
    ['kubectl', 'apply', '-K', 'k8s'],
    ['kubectl', 'aply', '-k', 'k8s'],
    ['kubectl', 'apply', '-k', 'k8s/overlays/none'],
    ['kubectl', 'exec', 'deploy/scim', '--', 'node'],
  ];
  return [
    ...calls.flatMap(faultsOf),
    ...(requests.length < 2 ? ['there is no request that writes and none that reads'] : []),
    ...requests
      .filter((request) => !documented.has(request))
      .map((request) => `README.md has no such request: ${request}`),
    ...controls
      .filter((call) => faultsOf(call).length === 0)
      .map((call) => `control: nobody notices ${call.join(' ')}`),
  ].map((fault) => `k8s/README.md: ${fault}`);
};
