/** Jobs that come again, and processes that hang: an old request must not come on top of what was said since. */
import { companyScope } from '@roster/access';
import type { Store } from '@roster/store';
import { createSignal } from '@roster/testkit';
import { createAnswer } from './answer.ts';
import { acme, aUser, callerWaitsMs, createProvisioner, patchOp, useProvisioner, users } from './testbed.ts';

const { store } = useProvisioner();
/** Goes on only where a test says so. */
let clock = Date.now();
let names = 0;

const now = () => clock;
const later = (ms: number) => {
  clock += ms;
};
const provisioner = (of: Store) => createProvisioner(of, { now });

/** Hangs in the middle of its first transaction, after it has read the user, until it is let go. */
const hanging = () => {
  const [go, reached] = [createSignal(), createSignal()];
  const known: Store['audit']['known'] = async (...asked) => {
    const answer = await store.audit.known(...asked);
    reached.give();
    await go.given;
    return answer;
  };
  return {
    store: { ...store, audit: { ...store.audit, known } },
    reached: reached.given,
    letGo: go.give,
  };
};

const aName = () => {
  names += 1;
  return `user${names}@acme.test`;
};
const create = async (active = true): Promise<{ path: string; userName: string }> => {
  const userName = aName();
  const { status, body } = await provisioner(store).post(users, aUser(userName, { active }));
  expect(status).toBe(201);
  return { path: `${users}/${body.id}`, userName };
};
const put = (user: { path: string; userName: string }, active: boolean) => ({
  method: 'PUT',
  path: user.path,
  body: aUser(user.userName, { active }),
});
const patch = (path: string, active: boolean) => ({
  method: 'PATCH',
  path,
  body: { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: active }] },
});
const isActive = async (path: string) => (await provisioner(store).get(path)).body.active;

describe('an old request', () => {
  it('that changed nothing reactivates no user when its job comes again', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const allow = idp.held(put(user, true));
    expect((await allow()).status).toBe(200);
    expect((await idp.ask(patch(user.path, false))).status).toBe(200);
    later(6_000);
    expect(await allow()).toMatchObject({ status: 200, body: { active: false } });
    expect(await isActive(user.path)).toBe(false);
  });

  it('of a process that hung before it began reactivates no user who was deactivated meanwhile', async () => {
    const [idp, user] = [provisioner(store), await create(false)];
    const allow = idp.held(put(user, true));
    expect((await idp.ask(patch(user.path, false))).status).toBe(200);
    later(6_000);
    expect((await allow()).status).toBe(503);
    expect(await isActive(user.path)).toBe(false);
  });

  it.each([
    ['by a change', true],
    ['by what was so already', false],
  ])(
    'of a process that hung in the middle reactivates no user who was deactivated meanwhile %s',
    async (_how, wasActive) => {
      const [pod, user] = [hanging(), await create(wasActive)];
      const other = { ...aUser(user.userName, { active: true }), displayName: 'Ada' };
      const allowed = provisioner(pod.store).ask({ method: 'PUT', path: user.path, body: other });
      await pod.reached;
      expect((await provisioner(store).ask(patch(user.path, false))).status).toBe(200);
      later(6_000);
      pod.letGo();
      expect((await allowed).status).toBe(503);
      expect(await isActive(user.path)).toBe(false);
    },
  );

  it('deletes no user who was changed since', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const remove = idp.held({ method: 'DELETE', path: user.path });
    expect((await idp.ask(put(user, true))).status).toBe(200);
    later(6_000);
    expect((await remove()).status).toBe(503);
    expect(await isActive(user.path)).toBe(true);
  });

  it('does not create again a user who was created by its repetition and deleted', async () => {
    const [pod, idp] = [hanging(), provisioner(store)];
    const body = aUser(aName());
    const first = provisioner(pod.store).post(users, body);
    await pod.reached;
    later(callerWaitsMs + 1_000);
    const { status, body: user } = await idp.post(users, body);
    expect([status, (await idp.delete(`${users}/${user.id}`)).status]).toEqual([201, 204]);
    pod.letGo();
    expect((await first).status).toBe(503);
    const filter = encodeURIComponent(`userName eq "${body.userName}"`);
    expect((await idp.get(`${users}?filter=${filter}`)).body.totalResults).toBe(0);
  });

  it('is not applied when its caller has got a 503', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const deny = idp.held(patch(user.path, false));
    later(callerWaitsMs + 1);
    expect(await deny()).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(await isActive(user.path)).toBe(true);
  });

  it('that was applied is answered as before when its job comes again', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const deny = idp.held(patch(user.path, false));
    expect((await deny()).status).toBe(200);
    later(6_000);
    const named = aUser(user.userName, { active: false, displayName: 'A' });
    expect((await idp.put(user.path, named)).status).toBe(200);
    expect(await deny()).toMatchObject({ status: 200, body: { displayName: 'A' } });
  });

  it('counts when it was overtaken on the way by one that was sent at the same time', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const add = (value: string) =>
      idp.held({
        method: 'PATCH',
        path: user.path,
        body: { schemas: [patchOp], Operations: [{ op: 'add', path: 'emails', value: { value } }] },
      });
    const [first, second] = [add(aName()), add(aName())];
    later(500);
    expect([(await second()).status, (await first()).status]).toEqual([200, 200]);
    const { body } = await idp.get(user.path);
    expect([body.emails.length, body.meta.version]).toEqual([2, 'W/"3"']);
  });
});

describe('a request that is asked again under its idempotency key', () => {
  it.each([
    ['changed the user', false],
    ['changed nothing', true],
  ])(
    'is answered from what was applied, however late, and is not applied again, when it %s',
    async (_, active) => {
      const [idp, user] = [provisioner(store), await create()];
      const change = idp.held(patch(user.path, active));
      expect((await change()).status).toBe(200);
      expect((await idp.ask(patch(user.path, !active))).status).toBe(200);
      later(3_600_000);
      expect(await change({ again: true })).toMatchObject({ status: 200, body: { active: !active } });
      expect(await isActive(user.path)).toBe(!active);
    },
  );

  it('is applied when it was not: its caller waits for it once more', async () => {
    const [idp, user] = [provisioner(store), await create()];
    const deny = idp.held(patch(user.path, false));
    later(callerWaitsMs + 1);
    expect((await deny()).status).toBe(503);
    expect((await deny({ again: true })).status).toBe(200);
    expect(await isActive(user.path)).toBe(false);
  });

  it('has created and deleted once', async () => {
    const idp = provisioner(store);
    const make = idp.held({ method: 'POST', path: users, body: aUser(aName()) });
    const { body: made } = await make();
    const remove = idp.held({ method: 'DELETE', path: `${users}/${made.id}` });
    expect((await remove()).status).toBe(204);
    later(3_600_000);
    expect(await make({ again: true })).toMatchObject({ status: 201, body: { id: made.id } });
    expect((await idp.get(`${users}/${made.id}`)).status).toBe(404);
    expect((await remove({ again: true })).status).toBe(204);
  });
});

describe('the security log', () => {
  it('counts what has changed something, once, however often its job comes', async () => {
    const noted: string[] = [];
    const idp = createProvisioner(store, { now, note: ({ event }) => void noted.push(event) });
    const userName = aName();
    const [made] = await idp.twice({ method: 'POST', path: users, body: aUser(userName) });
    const path = `${users}/${made?.body.id}`;
    await idp.twice(patch(path, false));
    await idp.ask(patch(path, false));
    await idp.twice(put({ path, userName }, true));
    await idp.twice({ method: 'DELETE', path });
    expect(noted).toEqual(['user.created', 'user.changed', 'user.changed', 'user.deleted']);
  });
});

it.each(['scim.groups.list', 'constructor'])(
  'an operation that this version does not know becomes a dead letter: %s',
  async (op) => {
    const answer = createAnswer({ store, publicUrl: '', callerWaitsMs, note() {} }, { now });
    const request = { id: 'r1', ws: companyScope(acme.id), op: op as 'scim.users.list', at: clock * 1000 };
    await expect(answer([request])).rejects.toMatchObject({ code: 'unknown_operation' });
  },
);
