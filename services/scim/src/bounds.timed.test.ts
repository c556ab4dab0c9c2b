/** The cost of the most expensive requests, and that no other request waits behind them. The controls run the same without the bounds. */
import { appPermissions } from '@roster/access';
import { threadMs } from '@roster/testkit';
import { limits, type ScimLimits } from './limits.ts';
import { acme, aUser, createProvisioner, useProvisioner, users } from './testbed.ts';

jest.setTimeout(120_000);

const unbounded: ScimLimits = {
  ...limits,
  steps: Number.POSITIVE_INFINITY,
  pageBytes: Number.POSITIVE_INFINITY,
  userBytes: Number.POSITIVE_INFINITY,
  sliceMs: Number.POSITIVE_INFINITY,
};

/** CPU time of the work, and the most between two turns of the event loop: the neighbours on the machine do not count. */
const measured = async <Result>(work: () => Promise<Result>) => {
  const started = threadMs();
  let [last, longest, isOver] = [started, 0, false];
  const look = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  const result = await work();
  look();
  isOver = true;
  return { result, cpu: threadMs() - started, longest };
};

const emails = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    value: `${name}.${index}@many.example`,
    type: `t${index}`,
  }));

describe('the bounds of SCIM', () => {
  const { store, idp: provisioner } = useProvisioner();

  /** As they may have been stored before there were bounds. */
  const fill = async (company: string, count: number, each: (index: number) => object) => {
    const many = Array.from({ length: count }, (_, index) => ({
      _id: `${company}-${index}`,
      company,
      at: index + 1,
      changed: index + 1,
      rev: 1,
      userName: `${company}.${index}@x.example`,
      active: true,
      ...each(index),
    }));
    await store.companies.put({ ...acme, id: company });
    for (let from = 0; from < count; from += 2000)
      await store.dashboard.users.insertMany(many.slice(from, from + 2000));
    const of = { company: { ...acme, id: company } };
    return {
      bound: createProvisioner(store, of),
      free: createProvisioner(store, { ...of, limits: unbounded }),
    };
  };

  const deactivate = [{ op: 'replace', path: 'active', value: false }];
  const byName = (text: string) => `${users}?filter=${encodeURIComponent(`displayName co "${text}"`)}`;

  describe('of a PATCH', () => {
    it.each([
      ['operations', Array.from({ length: 201 }, () => ({ op: 'add', path: 'displayName', value: 'a' }))],
      [
        'members of values without a path',
        [0, 1].map((part) => ({
          op: 'add',
          value: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x${part}.${index}`, ''])),
        })),
      ],
    ])('are 200 %s', async (_what, operations) => {
      const { body: made } = await provisioner.post(users, aUser('patched@x.example'));
      const answer = await provisioner.patch(`${users}/${made.id}`, operations);
      expect([answer.status, answer.body.detail]).toEqual([
        413,
        'a PATCH must not have more than 200 operations and members of values without a path',
      ]);
      await provisioner.delete(`${users}/${made.id}`);
    });

    it('are its steps: long lists again and again are refused, and cost little', async () => {
      const { bound, free } = await fill('patches', 2, (index) => ({ emails: emails(`p${index}`, 980) }));
      const path = `emails[${Array.from({ length: 25 }, (_, n) => `type eq "n${n}"`).join(' or ')}].type`;
      const operations = Array.from({ length: 20 }, () => ({ op: 'remove', path }));
      const refused = await measured(() => bound.patch(`${users}/patches-0`, operations));
      expect([refused.result.status, refused.result.body.scimType]).toEqual([400, 'tooMany']);
      const control = await measured(() => free.patch(`${users}/patches-0`, operations));
      expect(control.result.status).toBe(200);
      expect(control.cpu).toBeGreaterThan(1.5 * refused.cpu);
    });
  });

  describe('of a user', () => {
    it('are 100 emails', async () => {
      const many = await provisioner.post(users, aUser('many@x.example', { emails: emails('m', 101) }));
      expect([many.status, many.body.scimType, many.body.detail]).toEqual([
        400,
        'invalidValue',
        'emails must not have more than 100 elements',
      ]);
      const { status, body } = await provisioner.post(
        users,
        aUser('m@x.example', { emails: emails('m', 100) }),
      );
      expect(status).toBe(201);
      const more = [{ op: 'add', path: 'emails', value: emails('n', 1) }];
      expect((await provisioner.patch(`${users}/${body.id}`, more)).body.scimType).toBe('invalidValue');
      const made = [{ op: 'add', path: 'emails[type eq "new"].value', value: 'new@x.example' }];
      expect((await provisioner.patch(`${users}/${body.id}`, made)).body.scimType).toBe('invalidValue');
    });

    it('are 256 KB as it is shown', async () => {
      const workspaces = Array.from({ length: 1000 }, (_, index) => ({
        id: `w${index}`,
        name: `Workspace ${index}`,
        teams: [],
      }));
      const company = { ...acme, id: 'wide', workspaces };
      await store.companies.put(company);
      const wide = createProvisioner(store, { company });
      const inAll = (permissions: string[]) => ({
        permissions: {
          appGroup: workspaces.map(({ id }) => ({ appGroupId: id, appGroupPermissions: permissions })),
        },
      });
      const few = await wide.post(users, aUser('few@x.example', inAll(['admin'])));
      expect(few.status).toBe(201);
      const answer = await wide.put(
        `${users}/${few.body.id}`,
        aUser('few@x.example', inAll([...appPermissions])),
      );
      expect([answer.status, answer.body.detail]).toEqual([
        413,
        'a user must not be larger than 262144 bytes',
      ]);
    });

    it('leave one that is larger from before in reach: it is signed off, made smaller and deleted', async () => {
      const { bound } = await fill('before', 2, (index) => ({ emails: emails(`b${index}`, 5000) }));
      const off = await bound.patch(`${users}/before-0`, deactivate);
      expect([off.status, off.body.active, off.body.emails.length]).toEqual([200, false, 5000]);
      const less = await bound.patch(`${users}/before-0`, [{ op: 'remove', path: 'emails[type ew "9"]' }]);
      expect([less.status, less.body.emails.length]).toEqual([200, 4500]);
      expect((await bound.delete(`${users}/before-1`)).status).toBe(204);
    });
  });

  describe('of a list', () => {
    it('are a megabyte a page, and the pages hold each user once', async () => {
      const { bound, free } = await fill('pages', 60, (index) => ({ emails: emails(`u${index}`, 980) }));
      const seen: string[] = [];
      for (let startIndex = 1; startIndex <= 60; ) {
        const { body } = await bound.get(`${users}?count=200&startIndex=${startIndex}`);
        expect([body.totalResults, body.itemsPerPage]).toEqual([60, body.Resources.length]);
        expect(JSON.stringify(body).length).toBeLessThan(1_000_500);
        expect(body.itemsPerPage).toBeGreaterThan(0);
        seen.push(...body.Resources.map(({ id }: { id: string }) => id));
        startIndex += body.itemsPerPage;
      }
      expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `pages-${index}`));
      const control = await free.get(`${users}?count=200`);
      expect(JSON.stringify(control.body).length).toBeGreaterThan(2_500_000);
    });

    it('are 30 comparisons of a filter', async () => {
      const filter = (count: number) =>
        encodeURIComponent(Array.from({ length: count }, () => 'active eq true').join(' or '));
      expect((await provisioner.get(`${users}?filter=${filter(30)}`)).status).toBe(200);
      const { status, body } = await provisioner.get(`${users}?filter=${filter(31)}`);
      expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
    });

    describe('over thousands of users', () => {
      let crowd: Awaited<ReturnType<typeof fill>>;
      beforeAll(async () => {
        crowd = await fill('crowd', 6500, (index) => ({
          displayName: `User ${index}`,
          externalId: `e${index}`,
        }));
        await store.dashboard.claims.insertOne({ _id: 'crowd\ncrowd.5@x.example', user: 'crowd-5' });
      });

      it.each([byName('7'), `${users}?sortBy=userName`])('are its steps: %s', async (path) => {
        const refused = await measured(() => crowd.bound.get(path));
        expect([refused.result.status, refused.result.body.scimType]).toEqual([400, 'tooMany']);
        expect((await crowd.free.get(path)).status).toBe(200);
      });

      it('do not touch what is looked up, nor pages without a filter', async () => {
        for (const filter of [
          'externalId eq "e4711"',
          'emails.value eq "crowd.5@x.example"',
          'emails[value eq "crowd.5@x.example"]',
          'userName eq "crowd.5@x.example" and active eq true',
        ])
          expect((await crowd.bound.get(`${users}?filter=${encodeURIComponent(filter)}`)).status).toBe(200);
        const { body } = await crowd.bound.get(`${users}?startIndex=6490&count=200`);
        expect([body.totalResults, body.itemsPerPage]).toEqual([6500, 11]);
      });

      it('keep the event loop for a slice at a time', async () => {
        await crowd.bound.get(byName('7'));
        const bound = await measured(() => crowd.bound.get(byName('7')));
        const control = await measured(() => crowd.free.get(byName('7')));
        expect(bound.longest).toBeLessThan(100);
        expect(control.longest).toBeGreaterThan(2 * bound.longest);
      });

      it('let another company deactivate a user meanwhile', async () => {
        const signedOffAfter = async (costly: typeof crowd.bound) => {
          const { body } = await provisioner.post(users, aUser(`off${Math.random()}@x.example`));
          let done = 0;
          const lists = Array.from({ length: 10 }, () => costly.get(byName('7')).then(() => (done += 1)));
          await new Promise((resolve) => setTimeout(resolve, 50));
          const answer = await provisioner.patch(`${users}/${body.id}`, deactivate);
          const before = done;
          await Promise.all(lists);
          return [answer.body.active, before];
        };
        const [active, before] = await signedOffAfter(crowd.bound);
        expect(active).toBe(false);
        expect(before).toBeLessThan(10);
      });
    });
  });
});
