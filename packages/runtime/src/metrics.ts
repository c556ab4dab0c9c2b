/** Prometheus metrics. Ask for a child (`counter.with('users.track')`) as often as you like: it is made once. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { watchLoop } from './loop-block.ts';

interface Metric<Child> {
  /** The child for these label values, in the order of the labels. */
  with(...values: string[]): Child;
}
interface Count {
  inc(by?: number): void;
}
interface Timing {
  observe(value: number): void;
}
interface Level {
  set(value: number): void;
}
/** A reading at a scrape: label values, then the number. */
export type Reading = { labels?: string[]; value: number };

interface Named {
  name: string;
  help: string;
  labels?: string[];
}

interface Counting extends Named {
  /** Values of its one label that are there from the start: or else nothing tells a first failure from a process that is seen for the first time. */
  known?: readonly string[];
  /** Sums that are read when it is scraped: a label value that is not read any more is gone. */
  read?(): Reading[];
}

export interface Metrics {
  readonly contentType: string;
  counter(options: Counting): Metric<Count>;
  histogram(options: Named & { buckets?: number[] }): Metric<Timing>;
  /** With `read`, the gauge is read when it is scraped; else it is `set`. */
  gauge(options: Named & { read?(): Reading[] | Promise<Reading[]> }): Metric<Level>;
  text(): Promise<string>;
}

/** Seconds, from half a millisecond to ten seconds. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** prom-client hashes label values at each call of `labels`; here that happens once for a combination. */
const cached = <Child>(make: (...values: string[]) => Child): Metric<Child> => {
  const children = new Map<string, Child>();
  return {
    with(...values) {
      const id = values.length === 1 ? `${values[0]}` : values.join('\u0000');
      let child = children.get(id);
      if (child === undefined) {
        child = make(...values);
        children.set(id, child);
      }
      return child;
    },
  };
};

/** A counter with an addition as its hot path; prom-client gets the sums at each scrape. */
const plainCounter = (
  { name, help, labels = [], known = [], read = () => [] }: Counting,
  registry: Registry,
): Metric<Count> => {
  const sums: { values: string[]; sum: number }[] = [];
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const { values, sum } of sums) this.labels(...values).inc(sum);
      for (const { labels: values = [], value } of read()) this.labels(...values).inc(value);
    },
  });
  const counter = cached<Count>((...values) => {
    const own = { values, sum: 0 };
    sums.push(own);
    return {
      inc(by = 1) {
        own.sum += by;
      },
    };
  });
  for (const value of known) counter.with(value);
  return counter;
};

const readGauge = async (gauge: Gauge, read: () => Reading[] | Promise<Reading[]>): Promise<void> => {
  const readings = await read();
  gauge.reset();
  for (const { labels = [], value } of readings) gauge.labels(...labels).set(value);
};

/** Each scrape gets the longest block since the scrape before. */
const reportLoopBlock = (registry: Registry): void => {
  const loop = watchLoop();
  new Gauge({
    name: 'roster_event_loop_block_seconds',
    help: 'Longest time since the last scrape for which one piece of work kept the event loop busy.',
    registers: [registry],
    collect() {
      this.set(loop.take() / 1_000);
    },
  });
};

export const createMetrics = ({ service }: { service: string }): Metrics => {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  reportLoopBlock(registry);
  return {
    contentType: registry.contentType,
    counter: (options) => plainCounter(options, registry),
    histogram({ name, help, labels = [], buckets = seconds }) {
      const histogram = new Histogram({ name, help, labelNames: labels, buckets, registers });
      return cached((...values) => histogram.labels(...values));
    },
    gauge({ name, help, labels = [], read }) {
      const collect = read && { collect: () => readGauge(gauge, read) };
      const gauge: Gauge = new Gauge({ name, help, labelNames: labels, registers, ...collect });
      return cached((...values) => gauge.labels(...values));
    },
    text: () => registry.metrics(),
  };
};
