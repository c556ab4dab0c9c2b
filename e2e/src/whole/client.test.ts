/** The client against the services as they run: what it says, what it is told, and what it does about it. */
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { AccessError, about, InvalidRequestError, NotFoundError, Roster } from '@roster/client';
import { textOf, until, usePeer } from '@roster/testkit';
import { useWhole, useWorkspace } from '../shared.ts';
import { mayAskHere, withChannels } from '../system.ts';

const whole = useWhole();
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const system = useWorkspace('client', (usual) => {
  writeFileSync(join(whole.credentials, 'e2e-webhook'), webhookSecret);
  return withChannels(mayAskHere(usual), { webhook: { secret: { file: 'e2e-webhook' } } });
});
let roster: Roster;

beforeAll(() => {
  roster = new Roster({ url: system.base, key: system.key, retryFor: 300 });
});

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
      { wait: 30 },
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
      { wait: 30 },
    );
    const { requestId = '' } = about(answer) ?? {};
    expect(await roster.requests.read(requestId)).toMatchObject({ state: 'applied' });
    const read = await roster.users.export.ids({ external_ids: ['bob'], fields_to_export: ['external_id'] });
    expect(about(read)).toMatchObject({
      isFresh: expect.any(Boolean),
      status: 201,
      remaining: expect.any(Number),
      resetAt: expect.any(Date),
    });
  });

  it('reaches operations below others, in path, query and body', async () => {
    await roster.users.track(
      { attributes: [{ external_id: 'cyd', email: 'cyd@example.com' }] },
      { wait: 30 },
    );
    await roster.users.track.bulk({ attributes: [{ external_id: 'cyd', n: 1 }] }, { wait: 30 });
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

  it('is applied once under one idempotency key, and each repetition that waits is told its effect', async () => {
    const body = { attributes: [{ external_id: 'dee', n: { inc: 1 } }] };
    const options = { idempotencyKey: 'the same', wait: 30 };
    const effect = { state: 'applied', entries: { attributes: [{ result: 'created' }] } };
    for (let time = 0; time < 3; time++)
      expect(await roster.users.track(body, options)).toMatchObject(effect);
    expect((await roster.users.track(body, { idempotencyKey: 'the same' })).state).toBeUndefined();
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
        { wait: 30 },
      );
    const seen: unknown[] = [];
    for await (const { to } of roster.subscription.history({ external_id: 'eve', limit: 1 })) seen.push(to);
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
      retry: false,
      remedy: 'Send `attributes`, `events` or `purchases`, and correct the entries named in `errors`.',
      errors: [{ input_array: 'events', index: 0 }],
    });
    const wrong = { external_ids: ['ada'], fields_to_export: ['shoe_size'] };
    expect(await errorOf(roster.users.export.ids(wrong))).toMatchObject({ code: 'FIELD_NOT_EXPORTABLE' });
    const unknown = await errorOf(roster.requests.read('r0000000-000000'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });

  it('of a worker has its code as well', async () => {
    const error = await errorOf(roster.subscription.history({ external_id: 'nobody at all' }));
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'PERSON_UNKNOWN', retry: false });
  });

  it('is about access, with a wrong key', async () => {
    const stranger = new Roster({ url: system.base, key: 'wrong' });
    const error = await errorOf(stranger.users.delete({ external_ids: ['ada'] }));
    expect(error).toBeInstanceOf(AccessError);
    expect(error).toMatchObject({ status: 401, code: 'API_KEY_INVALID' });
  });
});

describe('a batch', () => {
  it('tells each caller what became of their entry', async () => {
    const batch = roster.batch({ wait: 30 });
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
    await roster.users.track({ attributes: [{ external_id: 'gus', seen: true }] }, { wait: 30 });
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

const got: [string, IncomingHttpHeaders][] = [];
const receiver = usePeer(async (request, response) => {
  got.push([await textOf(request), request.headers]);
  response.writeHead(204).end();
});

it('reads a webhook that the service sent', async () => {
  await roster.users.track({ attributes: [{ external_id: 'ida', first_name: 'Zoë' }] }, { wait: 30 });
  const body = `{"name":"{{\${first_name}}}"}`;
  await roster.messages.send({
    external_user_ids: ['ida'],
    messages: { webhook: { url: receiver.url, request_method: 'POST', body } },
  });
  const [text, headers] = (await until(async () => got[0])) ?? ['', {}];
  const { webhooks } = new Roster({ url: system.base, webhookSecret });
  expect(await webhooks.unwrap(text, headers)).toMatchObject({ body: { name: 'Zoë' } });
  await expect(webhooks.unwrap(`${text} `, headers)).rejects.toThrow('the signature is wrong');
});
