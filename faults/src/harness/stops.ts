// A process that is asked to stop, and another one in its place, as a deployment does it.
import type { System } from './system.ts';

/** What Kubernetes and the local stack allow. */
const mostMs = 25_000;

export interface Stop {
  name: string;
  code: number | null;
  ms: number;
}

export const replace = async (system: System, name: string): Promise<Stop> => {
  const began = performance.now();
  const code = await system.part(name).end('SIGTERM');
  const ms = performance.now() - began;
  await system.part(name).start();
  return { name, code, ms };
};

export const judgeStops = (stops: readonly Stop[]): string[] =>
  stops.flatMap(({ name, code, ms }) => [
    ...(code === 0 ? [] : [`${name} ended with ${code}`]),
    ...(ms > mostMs ? [`${name} took ${ms.toFixed(0)} ms to stop`] : []),
  ]);
