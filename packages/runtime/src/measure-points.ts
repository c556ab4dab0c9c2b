/** The price of requests, by workspace: docs/adr/0020-work-is-what-is-metered.md. */
import { createDearest } from './dearest.ts';
import type { Context } from './run.ts';

/** Series of a process. There may be very many workspaces, and each series costs Prometheus memory. */
const most = 20;

/** The dearest are chosen at the first scrape after it. */
const everyMs = 60_000;

export type CountPoints = (workspace: string, points: number) => void;

export const measurePoints = ({ metrics }: Pick<Context<unknown>, 'metrics'>): CountPoints => {
  const dearest = createDearest({ most });
  let chosen = performance.now();
  const chooseInTime = (): void => {
    if (performance.now() - chosen < everyMs) return;
    chosen = performance.now();
    dearest.choose();
  };
  metrics.counter({
    name: 'roster_points_total',
    help: 'Points taken from workspaces. The dearest workspaces of this process are named, the rest are "(others)".',
    labels: ['workspace'],
    read() {
      chooseInTime();
      return dearest.sums().map(({ name, sum }) => ({ labels: [name], value: sum }));
    },
  });
  return dearest.add;
};
