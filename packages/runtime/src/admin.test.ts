import { type Admin, startAdmin } from './admin.ts';
import { createMetrics } from './metrics.ts';

describe('the side port', () => {
  let admin: Admin;
  const metrics = createMetrics({ service: 'track' });
  const health = { live: () => true as const, ready: () => true as const };
  const get = (path: string, init = {}) => fetch(`http://127.0.0.1:${admin.port}${path}`, init);

  beforeAll(async () => {
    admin = await startAdmin({ port: 0, host: '127.0.0.1', health, metrics });
  });
  afterAll(() => admin.close());

  it('says that it lives', async () => {
    const answer = await get('/health/live');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('shows the metrics, the delay of the event loop among them', async () => {
    metrics
      .counter({ name: 'roster_requests_total', help: 'Requests.', labels: ['op'] })
      .with('users.track')
      .inc();
    const text = await (await get('/metrics')).text();
    expect(text).toContain('roster_requests_total{op="users.track",service="track"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('knows nothing else, and only GET', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
  });

  it('says 500 and no more when something breaks', async () => {
    const broken = { ...health, ready: () => Promise.reject(new Error('secret')) };
    const other = await startAdmin({ port: 0, host: '127.0.0.1', health: broken, metrics });
    const answer = await fetch(`http://127.0.0.1:${other.port}/health/ready`);
    expect([answer.status, await answer.text()]).toEqual([500, '{"message":"Internal error"}']);
    await other.close();
  });
});
