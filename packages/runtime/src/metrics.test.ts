import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  let metrics: ReturnType<typeof createMetrics>;
  beforeEach(() => {
    metrics = createMetrics({ service: 'x' });
  });

  it('make a child once', () => {
    const counter = metrics.counter({ name: 'c_total', help: 'h', labels: ['a', 'b'] });
    expect(counter.with('1', '2')).toBe(counter.with('1', '2'));
    expect(counter.with('1', '2')).not.toBe(counter.with('12', ''));
  });

  it('count, also between two looks', async () => {
    const counter = metrics.counter({ name: 'c_total', help: 'h', labels: ['op'] });
    counter.with('a').inc();
    counter.with('b').inc(5);
    await metrics.text();
    counter.with('a').inc();
    const text = await metrics.text();
    expect(text).toContain('c_total{op="a",service="x"} 2');
    expect(text).toContain('c_total{op="b",service="x"} 5');
  });

  it('measure times in buckets', async () => {
    const histogram = metrics.histogram({ name: 't_seconds', help: 'h', labels: ['op'] });
    histogram.with('a').observe(0.5);
    const text = await metrics.text();
    expect(text).toContain('t_seconds_bucket{le="0.1",service="x",op="a"} 0');
    expect(text).toContain('t_seconds_bucket{le="1",service="x",op="a"} 1');
  });

  it('read a gauge at each scrape, and forget what is gone', async () => {
    let waiting = [
      { labels: ['track-0'], value: 3 },
      { labels: ['track-1'], value: 4 },
    ];
    metrics.gauge({ name: 'waiting', help: 'h', labels: ['queue'], read: async () => waiting });
    expect(await metrics.text()).toContain('waiting{queue="track-1",service="x"} 4');
    waiting = [{ labels: ['track-0'], value: 1 }];
    const text = await metrics.text();
    expect(text).toContain('waiting{queue="track-0",service="x"} 1');
    expect(text).not.toContain('track-1');
  });

  it('set a gauge by hand', async () => {
    metrics.gauge({ name: 'share', help: 'h' }).with().set(0.5);
    expect(await metrics.text()).toContain('share{service="x"} 0.5');
  });

  it('tell the longest block of the event loop since the last look', async () => {
    expect(await metrics.text()).toMatch(/roster_event_loop_block_seconds\{service="x"\} [\d.e-]+\n/);
  });
});
