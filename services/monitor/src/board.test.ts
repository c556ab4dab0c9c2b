/** Who sees what on the board, over HTTP, for each of its pages and interfaces. */
import { hashPassword } from '@roster/access';
import type { Running } from '@roster/runtime';
import { until, useServers } from '@roster/testkit';
import request from 'supertest';
import { addCompany, addUser, admin, password, signIn } from './sign-in/testbed.ts';
import { beginMonitor, createQueues } from './testbed.ts';

const inWorkspace = (id: string, permissions: string[], sets: string[] = []) => ({
  company: [],
  roles: [],
  workspaces: [{ id, permissions, sets, teams: [] }],
});
const people = {
  admin: { company: 'acme', permissions: admin },
  developer: { company: 'acme', permissions: inWorkspace('shop', ['dev_console']) },
  bySet: { company: 'acme', permissions: inWorkspace('shop', [], ['developers']) },
  marketer: { company: 'acme', permissions: inWorkspace('shop', ['send_campaigns_canvases']) },
  powerless: { company: 'acme' },
  stranger: { company: 'other', permissions: admin },
};

const body = { attributes: [{ email: 'ada@example.org' }] };
const letter = (id: string, ws: string) => ({
  id,
  queue: 'track',
  code: 'BAD',
  reason: `no good ${id}`,
  at: 't',
  request: { id, ws, op: 'users.track', at: 1, body },
});

describe('the board', () => {
  let running: Running;
  let base: string;
  const signedIn = new Map<string, ReturnType<typeof request.agent>>();
  const { queueOf, closeQueues } = createQueues(() => servers.redis);

  const begin = async (MONITOR_SIGN_IN: 'always' | 'never') => {
    const { running: started } = await beginMonitor(servers, MONITOR_SIGN_IN);
    await until(async () => (await started.ready?.()) === true);
    return started;
  };

  const get = (who: string, path: string) => (signedIn.get(who) ?? request(base)).get(path);

  const servers = useServers(async ({ store }) => {
    const permission_sets = [{ id: 'developers', name: 'Developers', permissions: ['dev_console'] }];
    await addCompany(store, { permission_sets });
    await addCompany(store, { id: 'other', workspaces: [{ name: 'Blog', id: 'blog' }] });
    const kept = await hashPassword(password);
    for (const [_id, of] of Object.entries(people))
      await addUser(store, `${_id}@x.test`, { _id, ...of, password: kept });
    const requests = [
      ['r1-shop', 'shop', 'users.track', body],
      ['r2-blog', 'blog', 'users.track', body],
    ];
    await queueOf('track').add('group', { v: 1, entries: 2, bytes: 10, requests }, { jobId: 'g1-mixed' });
    for (const [id, ws] of [
      ['r3-dead', 'shop'],
      ['r4-dead', 'blog'],
    ] as const)
      await queueOf('dead').add('users.track', letter(id, ws), { jobId: `d-${id}` });
    running = await begin('always');
    base = `http://127.0.0.1:${running.port}`;
    for (const name of Object.keys(people)) {
      const agent = request.agent(base);
      await signIn(agent, `${name}@x.test`).expect(303);
      signedIn.set(name, agent);
    }
    return async () => {
      await running.stop();
      await closeQueues();
    };
  });

  const pages = ['/board', '/board/queue/dead', '/board/queue/dead/d-r3-dead'];
  const lists = ['/board/api/queues?activeQueue=dead', '/board/api/queues?activeQueue=track-0'];
  const jobs = ['/board/api/queues/dead/d-r3-dead', '/board/api/queues/track-0/g1-mixed'];
  const logs = ['/board/api/queues/dead/d-r3-dead/logs'];
  const others = [
    '/board/api/redis/stats',
    '/board/api/job-schedulers',
    '/board/api/queues/track-0/metrics',
    '/board/api/queues/track-0/workers',
    '/board/api/queues/track-0/rate-limit',
    '/board/api/queues/track-0/default-job-options',
    '/board/api/queues/track-0/job-data-schema',
    '/board/api/queues/dead/d-r3-dead/flow',
  ];

  it.each(['marketer', 'powerless'])('is 403 everywhere for %s', async (who) => {
    for (const path of ['/', ...pages, ...lists, ...jobs, ...logs, ...others])
      expect([path, (await get(who, path)).status]).toEqual([path, 403]);
  });

  it.each(['admin', 'developer', 'bySet'])(
    'shows %s the workspaces of their company and no others',
    async (who) => {
      const all = await Promise.all([...pages, ...lists, ...jobs, ...logs].map((path) => get(who, path)));
      expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
      const text = all.map((answer) => answer.text).join();
      expect([text.includes('r1-shop'), text.includes('r3-dead')]).toEqual([true, true]);
      expect(text).not.toMatch(/blog|r2-|r4-|ada@/);
      expect(text).toContain('"others":1');
    },
  );

  it('shows a user of another company nothing of this one', async () => {
    const all = await Promise.all([...lists, ...jobs, ...logs].map((path) => get('stranger', path)));
    const text = all.map((answer) => answer.text).join();
    expect(text).not.toMatch(/shop|r1-|r3-dead"|no good r3|ada@/);
    await get('stranger', '/board/api/queues/dead/d-r3-dead').expect(404);
    expect((await get('stranger', '/board/api/queues/dead/d-r4-dead')).text).toContain('r4-dead');
  });

  it.each(Object.keys(people))('shows %s nothing of Redis, schedulers and flows', async (who) => {
    for (const path of others) expect([path, (await get(who, path)).status]).toEqual([path, 403]);
  });

  it('shows the operator everything, while it needs no sign-in', async () => {
    const open = await begin('never');
    const at = (path: string) => request(`http://127.0.0.1:${open.port}`).get(path).expect(200);
    const text = (await Promise.all([...lists, ...jobs].map(at))).map((answer) => answer.text).join();
    for (const id of ['r1-shop', 'r2-blog', 'r3-dead', 'r4-dead']) expect(text).toContain(id);
    await at('/board/api/redis/stats').expect(/memory/);
    await open.stop();
  });

  it('has the sign-ins and refusals in the audit log, counted, without names and addresses', async () => {
    await signIn(request(base), 'mistyped@x.test').expect(401);
    await running.stop();
    const rows = await servers.store.audit.list({ limit: 100 });
    expect(rows.map(({ what, by }) => `${what} ${by}`)).toEqual(
      expect.arrayContaining([
        'sign_in.succeeded user:admin',
        'sign_in.failed unknown',
        'board.refused user:powerless',
      ]),
    );
    expect(JSON.stringify(rows)).not.toMatch(/x\.test|127\.0\.0/);
    expect((await servers.store.audit.verify()).broken).toBeUndefined();
    running = await begin('always');
  });
});
