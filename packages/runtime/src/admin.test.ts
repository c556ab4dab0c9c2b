import request from 'supertest';
import { type Admin, startAdmin } from './admin.ts';
import { createMetrics } from './metrics.ts';

describe('the side port', () => {
  let admin: Admin;
  const metrics = createMetrics({ service: 'track' });
  const health = { live: () => true as const, ready: () => true as const };
  const ask = ({ port } = admin) => request(`http://127.0.0.1:${port}`);

  beforeAll(async () => {
    admin = await startAdmin({ port: 0, host: '127.0.0.1', health, metrics });
  });
  afterAll(() => admin.close());

  it('says that it lives', async () => {
    await ask().get('/health/live').expect(200, { status: 'ok' });
  });

  it('shows the metrics, the delay of the event loop among them', async () => {
    metrics
      .counter({ name: 'roster_requests_total', help: 'Requests.', labels: ['op'] })
      .with('users.track')
      .inc();
    const { text } = await ask().get('/metrics').expect(200);
    expect(text).toContain('roster_requests_total{op="users.track",service="track"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('knows nothing else, and only GET', async () => {
    await ask().get('/').expect(404);
    await ask().post('/metrics').expect(405);
  });

  it('says 500 and no more when something breaks', async () => {
    const broken = { ...health, ready: () => Promise.reject(new Error('secret')) };
    const other = await startAdmin({ port: 0, host: '127.0.0.1', health: broken, metrics });
    await ask(other).get('/health/ready').expect(500, '{"message":"Internal error"}');
    await other.close();
  });
});
