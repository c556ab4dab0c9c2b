// Two versions side by side: every process is replaced by one of the next version, then by one of the earlier version again, and once more, under load.
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anyFreePort, mustRun, services } from '@roster/local-stack';
import { allQueues, readParked } from '@roster/queue';
import { type Balancer, startBalancer } from '../harness/balancer.ts';
import { requestIdOf } from '../harness/client.ts';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { type Scene, sceneOf } from './replacing/conversations.ts';
import { lead } from './replacing/lead.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The last release, or what scripts/versions.mjs makes of this version. */
type Version = `v${string}` | 'next' | 'puts-back';

const lastRelease = (): Version => {
  const [, version] = /^## (\d\S*) - /m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (!version) throw new Error('CHANGELOG.md has no release');
  return `v${version}`;
};

const bundlesOf = async (version: Version): Promise<string> => {
  const folder = `faults/versions/${version}/bundle`;
  await mustRun(process.execPath, ['scripts/versions.mjs', version, folder], {
    cwd: root,
    timeoutMs: 900_000,
  });
  return join(root, folder);
};

/** What a new process is of. */
const pointTo = (link: string, bundles: string): void => {
  rmSync(link, { force: true });
  symlinkSync(bundles, link);
};

/** Nobody is alone in doing what a caller may wait for. */
const twoOfEach = Object.fromEntries(services.map((service) => [service, 2]));
const single = { sender: 1, monitor: 1, pages: 1 };

const ingresses = (trial: Trial) => (trial.quick ? 3 : 10);

const portsOfIngresses = (ports: readonly number[]): Record<string, { PORT: string }> =>
  Object.fromEntries(
    ports.map((port, n) => [n === 0 ? 'ingress' : `ingress-${n + 1}`, { PORT: String(port) }]),
  );

/** The most jobs that waited for another version at once. */
const watchParked = ({ redis }: System) => {
  const seen = { most: 0 };
  const look = async (): Promise<void> => {
    const jobs = (await readParked(redis, allQueues(4))).reduce((sum, one) => sum + one.jobs, 0);
    seen.most = Math.max(seen.most, jobs);
  };
  const timer = setInterval(() => void look().catch(() => {}), 200);
  return { seen, close: () => clearInterval(timer) };
};

/** What every version knows goes on: an attribute is applied in time, whatever else waits. */
const attributeMs = 30_000;

/** Gives the longest time that one took, in milliseconds. */
const attributesGoOn = async ({ client }: System, scene: Scene): Promise<number> => {
  let most = 0;
  for (let n = 0; !scene.over; n++) {
    await sleep(500);
    const asked = await client.call({ body: { attributes: [{ external_id: `known-${n}`, n }] } });
    const path = `/requests/${requestIdOf(asked)}`;
    const isApplied = async () =>
      (await client.call({ path, method: 'GET' })).body.includes('"state":"applied"');
    const ms = (await until(attributeMs, isApplied)) ?? attributeMs;
    most = Math.max(most, ms);
    if (ms === attributeMs) scene.wrong.push(`an attribute was not applied within ${attributeMs / 1_000} s`);
  }
  return most;
};

const replaceAll = async (system: System, scene: Scene, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await sleep(300);
    scene.leaving = name;
    const code = await system.part(name).end('SIGTERM');
    if (code !== 0) scene.wrong.push(`${name} ended with ${code}`);
    await system.part(name).start();
    scene.leaving = '';
  }
};

const roll = async (
  system: System,
  scene: Scene,
  link: string,
  { older, next }: { older: string; next: string },
  say: Trial['say'],
): Promise<void> => {
  const each = services.flatMap(system.processesOf);
  // The ingress first, and on the way back last: workers get most of what they do not know.
  const rounds = [
    { bundles: next, names: each },
    { bundles: older, names: each.toReversed() },
    { bundles: next, names: each },
  ];
  for (const { bundles, names } of rounds) {
    pointTo(link, bundles);
    const began = performance.now();
    await replaceAll(system, scene, names);
    say(`all processes are of ${bundles} after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
  await sleep(500);
};

interface Way {
  balancer: Balancer;
  /** The control: what is there before the next version. */
  putsBack?: boolean;
}

const attempt = async (trial: Trial, way: Way): Promise<Findings> => {
  const earlier = way.putsBack ? 'puts-back' : lastRelease();
  const [older, next] = [await bundlesOf(earlier), await bundlesOf('next')];
  const link = join(trial.folder(), 'version');
  pointTo(link, older);
  const ports = await Promise.all(Array.from({ length: ingresses(trial) }, anyFreePort));
  const balancer = await startBalancer(way.balancer, trial.folder(), ports);
  trial.atEnd(balancer.stop);
  const system = await trial.system({
    services: [...services],
    workers: { ...twoOfEach, ...single, ingress: ports.length },
    processEnv: portsOfIngresses(ports),
    env: { DRAIN_SECONDS: '1' },
    bundles: link,
    front: balancer.url,
    leastPatienceMs: 20_000,
  });
  const scene = sceneOf(system, { conversationsPerSecond: 1, isStrict: true });
  const { seen, close } = watchParked(system);
  trial.atEnd(close);
  const knownOnes = attributesGoOn(system, scene);
  const load = { seed: 53, perSecond: 10, hands: 4, lateMs: 60_000 };
  const { figures, broken } = await lead(scene, load, () =>
    roll(system, scene, link, { older, next }, trial.say),
  );
  const dead = await system.redis.llen('{roster:dead}:dead:wait');
  if (dead > 0) broken.push(`${dead} dead letters`);
  if (seen.most === 0) broken.push('nothing had to wait for another version');
  return {
    figures: {
      earlier,
      ingresses: ports.length,
      ...figures,
      'parked at most': seen.most,
      'an attribute took at most': `${((await knownOnes) / 1_000).toFixed(1)} s`,
    },
    broken,
  };
};

const behind = (balancer: Balancer, name: string, words: string) =>
  faultOf(attempt, [{ balancer }, { balancer, putsBack: true }] as const, {
    name,
    title: `ten ingresses behind ${words}, and two of each worker, become the next version one after the other, the earlier one again, and the next one: no request is refused, lost, applied twice or a dead letter`,
    without: 'parking: a worker puts back what it does not know',
    breaks: /an attribute was not applied/,
    alone: true,
    onlyByName: true,
    limitMinutes: 60,
  });

export const upgrade = behind('haproxy', 'upgrade', 'HAProxy');

export const upgradeEnvoy = behind('envoy', 'upgrade-envoy', 'Envoy');
