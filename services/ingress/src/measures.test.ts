import { createMetrics } from '@roster/runtime';
import type { Limiter } from './limiter.ts';
import { groupCounter, measureRooms } from './measures.ts';
import { createMeter } from './meter.ts';
import type { Passage } from './passage.ts';
import { createRooms } from './rooms.ts';
import type { Scope } from './scope.ts';

const kb = 1024;
const mb = 1024 * kb;

describe('the measures of an ingress', () => {
  it('tell the bytes in flight, and how many there may be', async () => {
    const metrics = createMetrics({ service: 'ingress' });
    const rooms = createRooms(64 * mb);
    measureRooms({ metrics }, rooms);
    const small = await rooms.reading('w', 10 * kb);
    await rooms.reading('w', mb);
    rooms.replying('w', 2 * mb);
    rooms.waiting('w');
    const text = await metrics.text();
    expect(text).toContain(`roster_ingress_held_bytes{room="small",service="ingress"} ${10 * kb}`);
    expect(text).toContain(`roster_ingress_held_bytes{room="large",service="ingress"} ${mb}`);
    expect(text).toContain(`roster_ingress_held_bytes{room="replies",service="ingress"} ${2 * mb}`);
    expect(text).toContain(`roster_ingress_room_bytes{room="small",service="ingress"} ${16 * mb}`);
    expect(text).toContain('roster_ingress_waiting_requests{service="ingress"} 1');
    small();
    expect(await metrics.text()).toContain('roster_ingress_held_bytes{room="small",service="ingress"} 0');
  });

  it('tell how many requests one write carries', async () => {
    const metrics = createMetrics({ service: 'ingress' });
    const count = groupCounter({ metrics });
    count(false, 3);
    count(true, 4);
    const text = await metrics.text();
    expect(text).toContain('roster_ingress_groups_total{lane="heavy",service="ingress"} 1');
    expect(text).toContain('roster_ingress_group_requests_sum{service="ingress"} 7');
  });

  it('count the points that are paid, and none that a workspace does not have', async () => {
    const paid: [string, number][] = [];
    const standing = (ok: boolean) => ({ ok, limit: 10, remaining: 0, reset: 0 });
    const take = (_ws: string, _pool: string, _rate: unknown, due = 1) => standing(due <= 10);
    const limiter: Limiter = { take };
    const pay = createMeter(limiter, (...one) => paid.push(one));
    const scope = { id: 'shop', limits: {} } as unknown as Scope;
    const passage: Passage = { entries: 0, price: 0, releases: [] };
    await pay(scope, passage, 4);
    await pay(scope, passage, 9);
    expect(() => pay(scope, passage, 50)).toThrow('costs 50 points');
    expect(paid).toEqual([
      ['shop', 4],
      ['shop', 5],
    ]);
  });
});
