/** The client against the services as they run: what it says, what it is told, and what it does about it. */
import {
  AccessError,
  about,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  Roster,
  TimeoutError,
} from '@roster/client';
import { type System, startSystem } from '../system.ts';

jest.setTimeout(60_000);

let system: System;
let roster: Roster;

beforeAll(async () => {
  system = await startSystem({ identity: {}, subscription: true });
  roster = new Roster({ url: system.base, key: system.key });
});
afterAll(() => system.stop());

const time = '2026-01-31T12:00:00Z';

const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a call', () => {
  it('waits for its effect, and tells of it entry by entry', async () => {
    const answer = await roster.users.track(
      { attributes: [{ external_id: 'ada', first_name: 'Ada', visits: { inc: 1 } }] },
      { wait: 10 },
    );
    expect(answer).toMatchObject({ state: 'applied', entries: { attributes: [{ result: 'created' }] } });
    const { users } = await roster.users.export.ids({
      external_ids: ['ada'],
      fields_to_export: ['first_name', 'custom_attributes'],
    });
    expect(users).toEqual([{ first_name: 'Ada', custom_attributes: { visits: 1 } }]);
  });

  it('tells what became of a request, and whether a read is fresh', async () => {
    const answer = await roster.users.track(
      { events: [{ external_id: 'bob', name: 'seen', time }] },
      { wait: 10 },
    );
    const { requestId = '' } = about(answer) ?? {};
    expect(await roster.requests.read(requestId)).toMatchObject({ state: 'applied' });
    const read = await roster.users.export.ids({ external_ids: ['bob'], fields_to_export: ['external_id'] });
    expect(about(read)).toMatchObject({ isFresh: true, status: 201, attempts: 1 });
    expect(about(read)?.remaining).toBeGreaterThan(0);
    expect(about(read)?.resetAt?.getTime()).toBeGreaterThan(Date.now() - 1000);
  });

  it('reaches operations below others, in path, query and body', async () => {
    await roster.users.track(
      { attributes: [{ external_id: 'cyd', email: 'cyd@example.com' }] },
      { wait: 10 },
    );
    await roster.users.track.bulk({ attributes: [{ external_id: 'cyd', n: 1 }] }, { wait: 10 });
    const set = { subscription_group_id: 'demo-news', subscription_state: 'subscribed' as const };
    await roster.subscription.set({ ...set, external_id: ['cyd'] });
    await roster.subscription.status.set.v2({
      subscription_groups: [{ ...set, emails: ['cyd@example.com'] }],
    });
    const state = await roster.subscription.status.get({
      subscription_group_id: 'demo-news',
      external_id: ['cyd'],
    });
    expect(state).toMatchObject({ message: 'success' });
  });

  it('is applied once under one idempotency key', async () => {
    const body = { attributes: [{ external_id: 'dee', n: { inc: 1 } }] };
    const options = { idempotencyKey: 'the same', wait: 10 };
    for (let time = 0; time < 3; time++) await roster.users.track(body, options);
    expect(await system.exported('dee', ['custom_attributes'])).toEqual({ custom_attributes: { n: 1 } });
    expect(await errorOf(roster.users.track({ attributes: [] }, options))).toBeInstanceOf(
      InvalidRequestError,
    );
  });

  it('goes through pages to their end', async () => {
    for (const first_name of ['one', 'two', 'three'])
      await roster.users.track(
        {
          attributes: [
            { external_id: 'eve', email_subscribe: first_name === 'two' ? 'opted_in' : 'unsubscribed' },
          ],
        },
        { wait: 10 },
      );
    const seen: unknown[] = [];
    for await (const page of roster.subscription.history.pages({ external_id: 'eve', limit: 1 }))
      seen.push(...page.changes.map(({ to }) => to));
    expect(seen).toEqual(['unsubscribed', 'opted_in', 'unsubscribed']);
  });
});

describe('an error', () => {
  it('has its class, code, field and what to do', async () => {
    const error = await errorOf(roster.users.track({ events: [{ external_id: 'ada', name: '', time }] }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      status: 400,
      code: 'NO_VALID_DATA',
      operation: 'users.track',
      remedy: 'Correct the entries named in `errors` and send them again.',
      errors: [{ input_array: 'events', index: 0 }],
      attempts: 1,
    });
    const wrong = { external_ids: ['ada'], fields_to_export: ['shoe_size'] };
    expect(await errorOf(roster.users.export.ids(wrong))).toMatchObject({ code: 'FIELD_NOT_EXPORTABLE' });
    const unknown = await errorOf(roster.requests.read('r0000000-000000'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });

  it('of a worker has its code as well', async () => {
    const error = await errorOf(roster.subscription.history({ external_id: 'nobody at all' }));
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'PERSON_UNKNOWN' });
  });

  it('is about access, with a wrong key', async () => {
    const stranger = new Roster({ url: system.base, key: 'wrong' });
    const error = await errorOf(stranger.users.delete({ external_ids: ['ada'] }));
    expect(error).toBeInstanceOf(AccessError);
    expect(error).toMatchObject({ status: 401, code: 'API_KEY_INVALID' });
  });

  it('is about the connection when nobody listens, and tries again until then', async () => {
    const nowhere = new Roster({ url: 'http://127.0.0.1:9', key: 'k', retryFor: 0.5 });
    const error = await errorOf(nowhere.users.track({}));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as ConnectionError).attempts).toBeGreaterThan(1);
  });

  it('is about time when the answer takes too long', async () => {
    const slow = new Roster({ url: system.base, key: system.key, timeout: 0.05, retryFor: 0 });
    const fetch = (url: string, init: RequestInit): Promise<Response> =>
      new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error(url)));
      });
    const stuck = new Roster({ url: system.base, key: system.key, timeout: 0.05, retryFor: 0, fetch });
    expect(await errorOf(stuck.users.track({}))).toBeInstanceOf(TimeoutError);
    expect(slow).toBeDefined();
  });

  it('is the reason of the signal that ended the call', async () => {
    const controller = new AbortController();
    const nowhere = new Roster({ url: 'http://127.0.0.1:9', key: 'k', retryFor: 60 });
    const call = errorOf(nowhere.users.track({}, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 100);
    expect(await call).toEqual(new Error('enough'));
  });
});

describe('a batch', () => {
  it('tells each caller what became of their entry', async () => {
    const batch = roster.batch({ wait: 10 });
    const good = batch.event({ external_id: 'fay', name: 'seen', time });
    const bad = batch.event({ external_id: 'fay', name: 'seen', time: 'noon' });
    const ignored = batch.attributes({ external_id: 'nobody', _update_existing_only: true, n: 1 });
    await batch.flush();
    expect(await good).toMatchObject({ state: 'applied', result: 'created' });
    expect(await bad).toMatchObject({ state: 'refused', code: 'TIME_INVALID', field: 'events[1].time' });
    expect(await ignored).toMatchObject({ state: 'applied', result: 'ignored', reason: 'no_such_user' });
    await batch.close();
  });

  it('keeps the order of a person, whatever the kind of entry', async () => {
    const batch = roster.batch();
    for (let n = 0; n < 30; n++) {
      void batch.event({ external_id: 'gus', name: `e${n}`, time });
      void batch.attributes({ external_id: 'gus', last: n });
    }
    await batch.close();
    await roster.users.track({ attributes: [{ external_id: 'gus', seen: true }] }, { wait: 10 });
    expect(await system.exported('gus', ['custom_attributes'])).toMatchObject({
      custom_attributes: { last: 29 },
    });
  });

  it('finds the entry for which a whole request is refused, and sends the others', async () => {
    const batch = roster.batch();
    const deep = JSON.parse(`${'['.repeat(1200)}${']'.repeat(1200)}`);
    const others = Array.from({ length: 20 }, (_, n) => batch.attributes({ external_id: `hal-${n}`, n }));
    const culprit = batch.attributes({ external_id: 'hal', deep });
    await batch.close();
    expect(await culprit).toMatchObject({ state: 'refused', code: 'BODY_TOO_DEEP' });
    expect(await Promise.all(others)).toEqual(
      others.map(() => expect.objectContaining({ state: 'accepted' })),
    );
  });
});
