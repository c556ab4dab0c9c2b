// T14, a deployment is not an accident: each process is asked to stop in turn while all of them have work, and another takes its place.
import { services } from '@roster/local-stack';
import { type Findings, faultOf, type Trial } from '../harness/fault.ts';
import type { Preload } from '../harness/preload.ts';
import { countStalls } from '../harness/stalls.ts';
import { sleep } from '../harness/wait.ts';
import { type Scene, sceneOf } from './replacing/conversations.ts';
import { lead } from './replacing/lead.ts';

/** What Kubernetes and the local stack allow. */
const mostMs = 25_000;

interface Stops extends Scene {
  /** How long each process took to stop, and what is wrong with that. */
  stops: number[];
  badStops: string[];
}

const replace = async ({ system, stops, badStops }: Stops, name: string): Promise<void> => {
  const began = performance.now();
  const code = await system.part(name).end('SIGTERM');
  const ms = performance.now() - began;
  stops.push(ms);
  if (code !== 0) badStops.push(`${name} ended with ${code}`);
  if (ms > mostMs) badStops.push(`${name} took ${ms.toFixed(0)} ms to stop`);
  await system.part(name).start();
};

const replaceAll = async (scene: Stops, rounds: number): Promise<void> => {
  const each = services.flatMap(scene.system.processesOf);
  for (const name of Array.from({ length: rounds }, () => each).flat()) {
    await sleep(500);
    scene.leaving = name;
    await replace(scene, name);
    scene.leaving = '';
  }
  await sleep(500);
};

const attempt = async (trial: Trial, preload?: Preload): Promise<Findings> => {
  const instead = {
    track: 'track-in-hand',
    identity: 'identity-impatient',
    subscription: 'subscription-impatient',
  };
  const system = await trial.system({
    services: [...services],
    workers: { track: 2 },
    instead,
    ...(preload && { preload }),
  });
  const stalled = countStalls(system.redis);
  trial.atEnd(stalled.close);
  const scene: Stops = { ...sceneOf(system, { conversationsPerSecond: 8 }), stops: [], badStops: [] };
  const load = { seed: 47, perSecond: 40, hands: 8, lateMs: 30_000 };
  const { figures, broken } = await lead(scene, load, () => replaceAll(scene, trial.quick ? 1 : 5));
  return {
    figures: {
      stops: scene.stops.length,
      'slowest stop ms': Math.max(...scene.stops),
      ...figures,
      'asked again': scene.again,
      stalls: stalled.stalls(),
    },
    broken: [...broken, ...scene.badStops, ...stalled.broken()],
  };
};

export const sigtermEach = faultOf(attempt, [undefined, 'abrupt'], {
  name: 'sigterm-each',
  title:
    'every process is replaced in turn under mixed load: exit 0, nothing lost or let fall, no answer but 503',
  without: 'the end of what is in hand: exit 0 at once',
  breaks: /jobs were let fall/,
});
