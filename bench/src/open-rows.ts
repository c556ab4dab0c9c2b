// Rows on a system of their own, and the load generator for them.
import type { Bench, Setting } from './bench.ts';
import { startChild } from './child.ts';
import { type Judged, judge } from './figure.ts';
import { residents } from './load/bodies.ts';
import type { LoadReport, LoadSpec } from './load/spec.ts';
import { startSystem } from './system.ts';

/** How long to look, and where to end. */
export type Extent = Pick<Setting, 'runs' | 'seconds' | 'quick' | 'mostEvents' | 'mostPeople'>;

const assertAccepted = ({ statuses }: LoadReport): void => {
  const others = Object.entries(statuses).filter(([status]) => status !== '201');
  if (others.length > 0) throw new Error(`not everything was answered 201: ${JSON.stringify(statuses)}`);
};

const measureOne = async (bench: Bench, setting: Omit<Setting, 'atEnd'>): Promise<Judged[]> => {
  const undo: (() => unknown)[] = [];
  try {
    return (await bench.measure({ ...setting, atEnd: (work) => void undo.push(work) })).map(judge);
  } finally {
    for (const work of undo.reverse()) await work();
  }
};

export const say = (line: string): void => console.log(`. ${line}`);

/** A fresh system on which rows can be measured, one after the other. */
export const openRows = async (bench: Pick<Bench, 'cacheGb'>, extent: Extent) => {
  const generator = startChild<LoadSpec, LoadReport>('./load/main.js');
  const system = await startSystem(bench);
  const loadAt: Setting['loadAt'] = async (url, spec) => {
    const report = await generator.ask({ ...spec, url, apiKey: system.apiKey });
    assertAccepted(report);
    return report;
  };
  const load: Setting['load'] = (spec) => loadAt(system.trackUrl, spec);
  await load({ connections: 8, load: { kind: 'arrivals', people: residents } });
  await system.quiet();
  return {
    measure: (bench: Bench): Promise<Judged[]> => measureOne(bench, { ...extent, system, load, loadAt, say }),
    async stop(): Promise<void> {
      await system.stop();
      await generator.stop();
    },
  };
};
