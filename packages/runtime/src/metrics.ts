/** Prometheus metrics. Ask for a child (`counter.with('users.track')`) as often as you like: it is made once. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { watchLoop } from './loop-block.ts';

/** What a gauge reads when it is asked: label values, then the number. */
export type Reading = { labels?: string[]; value: number };

interface Named {
  name: string;
  help: string;
  labels?: string[];
}

/** Seconds, from half a millisecond to ten seconds. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** prom-client hashes label values at each call of `labels`; here that happens once for a combination. */
const cached = <Child>(make: (...values: string[]) => Child) => {
  const children = new Map<string, Child>();
  return {
    /** The child for these label values, in the order of the labels. */
    with(...values: string[]): Child {
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
const plainCounter = ({ name, help, labels = [] }: Named, registry: Registry) => {
  const sums: { values: string[]; sum: number }[] = [];
  new Counter({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const { values, sum } of sums) this.labels(...values).inc(sum);
    },
  });
  return cached((...values) => {
    const own = { values, sum: 0 };
    sums.push(own);
    return {
      inc(by = 1): void {
        own.sum += by;
      },
    };
  });
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

export const createMetrics = ({ service }: { service: string }) => {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
  reportLoopBlock(registry);
  return {
    contentType: registry.contentType,
    counter: (options: Named) => plainCounter(options, registry),
    histogram({ name, help, labels = [] }: Named) {
      const histogram = new Histogram({ name, help, labelNames: labels, buckets: seconds, registers });
      return cached((...values) => histogram.labels(...values));
    },
    /** With `read`, the gauge is read when it is scraped; else it is `set`. */
    gauge({ name, help, labels = [], read }: Named & { read?(): Reading[] | Promise<Reading[]> }) {
      const collect = read && { collect: () => readGauge(gauge, read) };
      const gauge: Gauge = new Gauge({ name, help, labelNames: labels, registers, ...collect });
      return cached((...values) => gauge.labels(...values));
    },
    text: () => registry.metrics(),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
