import { createSlots } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import { type Fence, requestId } from '@roster/queue';
import type { Store } from '@roster/store';
import { useStore } from '@roster/testkit';
import { createAnswer, type ExportReader, gone } from './answer.ts';
import { aPerson, at, createTestbed } from './testbed.ts';

const test = createTestbed(useStore());
const secret = 'pepper';
const now = () => at / 1000;

beforeAll(async () => {
  await test.add(aPerson({ _id: 'p-ada', external_id: 'ada' }));
});

const fenced = (isPast: boolean): Fence => ({ isPast: async () => isPast, wait: async () => isPast });

const answering = (more: Partial<Pick<ExportReader, 'fence' | 'store' | 'slots' | 'loaded'>> = {}) => {
  const fence = fenced(true);
  const usual = { store: test.store, fence, secret, slots: createSlots(2), loaded() {}, ...more };
  return createAnswer({ outcomeFence: usual.fence, ...usual }, now);
};

const anExport: AcceptedRequest = {
  id: 'r1',
  ws: 'demo',
  op: 'users.export.ids',
  at,
  body: { external_ids: ['ada'], fields_to_export: ['external_id'] },
};

describe('the answer to an export', () => {
  it.each([true, false])('says whether everything accepted before is in it: %s', async (isFresh) => {
    expect(await answering({ fence: fenced(isFresh) })(anExport)).toEqual({
      status: 201,
      body: '{"message":"success","users":[{"external_id":"ada"}]}',
      headers: { 'X-Roster-Fresh': String(isFresh) },
    });
  });

  it('is dropped when it comes a minute late', async () => {
    expect(await answering()({ ...anExport, at: at - 61_000_000 })).toBe(gone);
  });

  it('is a rejection when it would be too large, and says so', async () => {
    const value = 'x'.repeat(15_000_000);
    const external_ids = Array.from({ length: 5 }, (_, n) => `big-${n}`);
    for (const external_id of external_ids)
      await test.add(aPerson({ _id: external_id, external_id }, [{ kind: 'set', name: 'a', value }]));
    const fields_to_export = ['custom_attributes'];
    const loaded: [ws: string, bytes: number][] = [];
    const answer = answering({ loaded: (...one) => loaded.push(one) });
    const { status, body: text } = await answer({ ...anExport, body: { external_ids, fields_to_export } });
    // Read in vain, and paid for all the same.
    expect(loaded).toEqual([['demo', expect.closeTo(30_000_000, -6)]]);
    expect([status, JSON.parse(text)]).toEqual([
      413,
      {
        message: 'The profiles are too large for one answer: ask for fewer people or fewer fields',
        code: 'EXPORT_TOO_LARGE',
      },
    ]);
    expect((await test.ask({ external_ids })).users).toHaveLength(5);
    const alone = { external_ids: external_ids.slice(0, 1), fields_to_export };
    expect((await test.ask(alone)).users).toHaveLength(1);
  });

  it('keeps its slot until it is sent when it is long', async () => {
    const value = 'x'.repeat(400_000);
    await test.add(aPerson({ _id: 'long', external_id: 'long' }, [{ kind: 'set', name: 'a', value }]));
    const body = { external_ids: ['long'], fields_to_export: ['custom_attributes'] };
    const slots = createSlots(1);
    const answer = answering({ slots });
    const long = await answer({ ...anExport, body, reply: 'here' });
    let isFree = false;
    const next = slots('demo').then((leave) => {
      isFree = true;
      leave();
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([long.rest !== undefined, isFree]).toEqual([true, false]);
    long.sent?.();
    await next;
    // No caller waits for this one: there is nothing to send.
    await answer({ ...anExport, body });
    (await slots('demo'))();
  });

  it('is 503 when MongoDB takes too long, and is not tried again', async () => {
    const slow: Store['snapshot'] = async () => {
      throw Object.assign(new Error('operation exceeded time limit'), { code: 50 });
    };
    const reply = await answering({ store: { ...test.store, snapshot: slow } })(anExport);
    expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });

  it('fails when MongoDB is away, so that its batch is tried again', async () => {
    const away: Store['snapshot'] = async () => {
      throw new Error('away');
    };
    await expect(answering({ store: { ...test.store, snapshot: away } })(anExport)).rejects.toThrow('away');
  });

  it('is really cut off by MongoDB', async () => {
    const looking = test.store.snapshot({ maxTimeMS: 20 }, (moment) =>
      test.store.profiles.find({ $where: 'sleep(500) || true' } as object, moment).toArray(),
    );
    await expect(looking).rejects.toMatchObject({ code: 50 });
  });
});

describe('an operation that this version does not know', () => {
  it.each(['users.export.all', 'constructor'])('becomes a dead letter: %s', async (op) => {
    await expect(answering()({ ...anExport, op: op as 'users.export.ids' })).rejects.toMatchObject({
      code: 'unknown_operation',
    });
  });
});

describe('the answer about a request', () => {
  const read = (id: string) => ({ id: 'r2', ws: 'demo', op: 'requests.read', at, params: { id } }) as const;

  it('is that it is queued, while the fence is not past', async () => {
    const id = requestId(secret, 'demo', at);
    expect(await answering({ fence: fenced(false) })(read(id))).toMatchObject({ status: 200 });
    expect(await answering({ fence: fenced(true) })(read(id))).toMatchObject({ status: 404 });
    expect(await answering()(read('no id of ours'))).toMatchObject({ status: 404 });
  });
});
