import { updateIntegration } from './changes.ts';
import { customers, makeIntegration, useTestbed } from './testbed.ts';

const { store, test } = useTestbed();

const unknown = '00000000-0000-8000-8000-000000000000';
const of = (integration_id: string) => ({ params: { integration_id } });

const shown = async (id: string) => (await test.send('cdi.integration_get', of(id))).body;

describe('an integration', () => {
  it('is a draft with the settings that it was given', async () => {
    const id = await makeIntegration(test, {
      schedule: { every: 'day', at: '03:30' },
      contact_emails: 'a@b.c',
    });
    expect(await shown(id)).toMatchObject({
      integration_id: id,
      app_group_id: 'demo',
      integration_name: 'Customers',
      integration_type: 'attributes',
      integration_status: 'draft',
      contact_emails: 'a@b.c',
      warehouse_type: 'postgresql',
      last_updated_at: null,
      last_job_status: null,
      next_scheduled_run: expect.stringMatching(/T03:30:00\.000Z$/),
      settings: { connection: 'warehouse', table: 'customers' },
    });
  });

  it('is made once by a request that comes twice', async () => {
    const request = test.requestOf('cdi.integration_create', { body: customers });
    const [first, second] = [await test.deliver(request), await test.deliver(request)];
    expect(second).toEqual(first);
    expect(await store.syncs.integrations.countDocuments()).toBe(1);
  });

  it.each([
    [
      'a connection that the workspace does not have',
      { connection: 'elsewhere' },
      'The workspace has no such connection',
    ],
    [
      'no table of a database',
      { table: null },
      'table is missing: the connection warehouse is of kind postgresql',
    ],
    [
      'a table of files',
      { connection: 'exports' },
      'table must be left out: the connection exports is of kind files, whose files are one table',
    ],
    [
      'a log where none can be written',
      { connection: 'exports', log: { table: 'log' } },
      'log must be left out: the connection exports is of kind files, into which no log can be written',
    ],
    [
      'a payload beside columns',
      { payload: 'p', columns: { a: 'b' } },
      'payload and columns exclude each other',
    ],
    [
      'an alias without its label',
      { identifier: { by: 'user_alias', column: 'a' } },
      'identifier needs either label or label_column for an alias',
    ],
    [
      'a time of the hour',
      { schedule: { every: 'hour', at: '00:30' } },
      'schedule.at goes with day, week and month',
    ],
  ])('is refused with %s', async (_, more, message) => {
    const { status, body } = await test.send('cdi.integration_create', { body: { ...customers, ...more } });
    expect({ status, message: body.message }).toEqual({ status: 400, message });
  });

  const cursor = JSON.stringify({ updatedAt: '2026-01-31T12:00:00Z', tie: null });

  it('keeps what a change leaves out, and begins anew with another table', async () => {
    const id = await makeIntegration(test, { schedule: { every: 'hour' }, columns: { plan: 'plan' } });
    await store.syncs.integrations.updateOne(
      { _id: id },
      { $set: { cursor, floor: cursor, state: 'active' } },
    );
    const change = async (body: object) =>
      (await test.send('cdi.integration_update', { ...of(id), body })).status;
    expect(await change({ integration_name: 'People', payload: 'doc' })).toBe(200);
    expect(await store.syncs.integrations.findOne({ _id: id })).toMatchObject({
      name: 'People',
      cursor,
      state: 'active',
    });
    expect((await shown(id)).settings).toEqual({
      connection: 'warehouse',
      table: 'customers',
      schedule: { every: 'hour' },
      payload: 'doc',
    });
    expect(await change({ table: 'people', schedule: { every: 'never' } })).toBe(200);
    const after = await store.syncs.integrations.findOne({ _id: id });
    expect(after).toMatchObject({ state: 'draft' });
    expect([after?.cursor, after?.floor, after?.schedule]).toEqual([undefined, undefined, undefined]);
  });

  it('has no table once it reads files, and needs one to read a database again', async () => {
    const id = await makeIntegration(test);
    const change = (body: object) => test.send('cdi.integration_update', { ...of(id), body });
    expect((await change({ connection: 'exports' })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ warehouse_type: 'files', settings: { connection: 'exports' } });
    expect((await shown(id)).settings).not.toHaveProperty('table');
    expect((await change({ table: 'customers' })).body.message).toContain('table must be left out');
    expect((await change({ connection: 'warehouse' })).body.message).toContain('table is missing');
    expect((await change({ connection: 'warehouse', table: 'customers' })).status).toBe(200);
  });

  it('that is deleted is gone with its jobs', async () => {
    const id = await makeIntegration(test);
    await test.send('cdi.integration_sync', of(id));
    expect((await test.send('cdi.integration_delete', of(id))).status).toBe(200);
    expect((await test.send('cdi.integration_delete', of(id))).status).toBe(404);
    expect(await store.syncs.jobs.countDocuments()).toBe(0);
  });

  it('of another workspace is not there', async () => {
    const id = await makeIntegration(test);
    for (const op of ['cdi.integration_get', 'cdi.integration_sync', 'cdi.integration_delete'] as const)
      expect((await test.send(op, { ...of(id), ws: 'other' })).status).toBe(404);
    expect((await test.send('cdi.integration_job_status', { ...of(id), ws: 'other' })).status).toBe(400);
    expect((await test.send('cdi.integration_list', { ws: 'other' })).body.results).toEqual([]);
  });
});

describe('a sync', () => {
  it('runs alone: 202, then 429', async () => {
    const id = await makeIntegration(test);
    const answers = await Promise.all([1, 2, 3].map(() => test.send('cdi.integration_sync', of(id))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 429, 429]);
    expect(answers.find(({ status }) => status === 429)?.body).toEqual({
      message: 'Another job is in progress',
      code: 'SYNC_RUNNING',
    });
    expect(await store.syncs.jobs.countDocuments()).toBe(1);
  });

  it('says what is wrong with the id in the sentences of the interface', async () => {
    const sync = async (id: string) => {
      const { status, body } = await test.send('cdi.integration_sync', of(id));
      return [status, body.message];
    };
    expect(await sync('x')).toEqual([400, 'Invalid integration ID']);
    expect(await sync(unknown)).toEqual([404, 'Integration not found']);
    const jobs = async (id: string) => (await test.send('cdi.integration_job_status', of(id))).body.message;
    expect([await jobs('x'), await jobs(unknown)]).toEqual(Array(2).fill('Invalid integration ID'));
  });

  it('of a paused integration is refused, and a pause ends the one that runs', async () => {
    const id = await makeIntegration(test);
    await test.send('cdi.integration_sync', of(id));
    const pause = (paused: boolean) => test.send('cdi.integration_update', { ...of(id), body: { paused } });
    await pause(true);
    expect(await shown(id)).toMatchObject({ integration_status: 'paused', last_job_status: 'error' });
    expect(await store.syncs.jobs.findOne()).toMatchObject({
      state: 'error',
      reason: 'the integration was paused',
    });
    expect((await test.send('cdi.integration_sync', of(id))).status).toBe(400);
    await pause(false);
    expect((await test.send('cdi.integration_sync', of(id))).status).toBe(202);
  });
});

describe('the audit log', () => {
  const rows = async (target: string) =>
    (await store.audit.list({ target, limit: 100 })).map(({ what, by, fields, set }) => ({
      what,
      by,
      fields,
      set,
    }));

  it('says who has done what to an integration, and from where', async () => {
    const id = await makeIntegration(test);
    const change = (body: object) => test.send('cdi.integration_update', { ...of(id), body });
    await change({ look_back_seconds: 60, table: 'others' });
    await test.send('cdi.integration_sync', of(id));
    await change({ paused: true });
    await change({ paused: true });
    await change({ paused: false });
    // They change nothing.
    await change({ paused: false, look_back_seconds: 60, table: 'others' });
    await change({ integration_name: 'Customers' });
    await test.send('cdi.integration_delete', of(id));
    const [by, set] = ['key:key1', { ws: 'demo', from: 'unknown' }];
    expect(await rows(id)).toEqual([
      { what: 'integration.created', by, fields: undefined, set },
      { what: 'integration.changed', by, fields: ['look_back_seconds', 'table'], set },
      { what: 'integration.synced', by, fields: undefined, set },
      { what: 'integration.paused', by, fields: ['paused'], set },
      { what: 'integration.resumed', by, fields: ['paused'], set },
      { what: 'integration.deleted', by, fields: undefined, set },
    ]);
    expect((await store.audit.verify()).broken).toBeUndefined();
  });

  it('has one row of a request that comes twice, with the network of its caller', async () => {
    const request = {
      ...test.requestOf('cdi.integration_create', { body: customers }),
      from: '203.0.113.0/24',
    };
    const { body } = await test.deliver(request);
    await test.deliver(request);
    const found = await rows(String(body.integration_id));
    expect(found).toMatchObject([{ what: 'integration.created', set: { from: '203.0.113.0/24' } }]);
  });

  it('has no row of a change that does not come about', async () => {
    const id = await makeIntegration(test);
    const request = test.requestOf('cdi.integration_update', { ...of(id), body: { paused: true } });
    const connectionOf = async () =>
      ({ id: 'exports', kind: 'postgresql', url: { env: 'ROSTER_CREDENTIAL_E' } }) as const;
    const change = await updateIntegration(request, { store, connectionOf });
    const undone = store.transact(async (session) => {
      await change(session);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rows(id)).toMatchObject([{ what: 'integration.created' }]);
  });

  it('says nothing of what was refused', async () => {
    const id = await makeIntegration(test);
    await test.send('cdi.integration_update', { ...of(id), body: { connection: 'elsewhere' } });
    expect(await rows(id)).toHaveLength(1);
  });
});

it.each([
  [{ on_removed: 'delete' }, 'set mode to diff'],
  [{ on_removed: 'null', mode: 'incremental' }, 'set mode to diff'],
  [{ table: 'a.b.c' }, 'the table must be a name'],
  [{ table: '' }, ''],
  [{ table: 'a"b' }, 'the table must be a name'],
])('what cannot be right is refused when it is stored: %j', async (more, words) => {
  const { status, body } = await test.send('cdi.integration_create', { body: { ...customers, ...more } });
  expect(status).toBe(400);
  expect(body.message).toContain(words);
  const id = await makeIntegration(test, { mode: 'diff', on_removed: 'ignore' });
  const { mode, ...change } = { mode: 'incremental', ...more };
  const changed = await test.send('cdi.integration_update', { ...of(id), body: { mode, ...change } });
  expect(changed.status).toBe(400);
});
