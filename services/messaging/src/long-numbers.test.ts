/** Whole numbers that a double does not hold, from the request to what a provider gets. */
import type { Answer } from '@roster/channels';
import { parseExact, stringifyExact } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import { tokenKey } from '@roster/profile';
import { until } from '@roster/testkit';
import { startActivities } from './activities/start-activities.ts';
import { createPreview } from './preview.ts';
import { always, person, urls, useSending, ws } from './sending/testbed.ts';
import { useTestbed } from './testbed.ts';

const { store, start, ended, claim, withSettings } = useSending();
const { test } = useTestbed(store);

/** 2^53, one more, and both ends of 64 bits. */
const ids = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n];
const digits = '[9007199254740992,9007199254740993,-9223372036854775808,9223372036854775807]';

const key = { file: 'k.p8' };
const ios_push = { key, key_id: 'ABC123DEFG', team_id: 'DEF123GHIJ', topic: 'com.example.shop' };
beforeEach(async () => {
  await claim('u1', 'p1');
  await withSettings({ apps: [{ id: 'shop', name: 'Shop', channels: { ios_push } }] });
});

const own = { k: 'account', v: { id: 2n ** 53n + 1n }, at: 1 };
const device = { app_id: 'shop', token: 'ab'.repeat(32) };
const toStart = { ...device, token: 'cd'.repeat(32), activity_attributes_type: 'Match' };
const ada = () => {
  const items = [device, toStart].map((v, at) => ({ k: tokenKey(v.app_id, v.token), v, at: at + 1 }));
  return store.profiles.insertOne(person(1, { custom: [own], lists: { push_tokens: { items } } }));
};

const now = () => ({ at: Date.now() * 1000 });

const sent: Answer = { state: 'sent' };

/** The messages that are handed over in this time, as JSON. */
const handed = () => {
  const got: string[] = [];
  const sending = start(async (_ws, _channel, _to, { content }) => {
    got.push(stringifyExact(content));
    return sent;
  });
  return { got, stop: sending.stop };
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: Liquid is written so
const alert = '{{custom_attribute.${account}.id}} {{custom_attribute.${account} | json}}';

describe('whole numbers beyond 2^53 in a message', () => {
  it('are shown, sent and written with all their digits', async () => {
    await ada();
    const body = {
      external_user_ids: ['u1'],
      schedule: { time: '2036-01-01T00:00:00Z' },
      messages: { ios_push: { alert, extra: { ids, deep: { id: ids[1] } } } },
    };
    const made = await test.send('messages.schedule.create', body);
    expect(made.status).toBe(201);
    const id = String(made.body.schedule_id);
    const changed = { schedule_id: id, schedule: { time: new Date(Date.now() + 100).toISOString() } };
    const again = await test.send('messages.schedule.update', { ...changed, messages: body.messages }, now());
    expect(again.status).toBe(201);
    const shown = await test.send('messages.schedule.get', undefined, { params: { id } });
    expect(shown.body.messages).toEqual(body.messages);

    const { got } = handed();
    await ended(id);
    expect(got).toEqual([
      `{"alert":"9007199254740993 {\\"id\\":9007199254740993}","extra":{"ids":${digits},"deep":{"id":9007199254740993}}}`,
    ]);
  });

  it('are kept with all their digits where there is no provider', async () => {
    await ada();
    start(always(undefined));
    const { body } = await test.send(
      'messages.send',
      { external_user_ids: ['u1'], messages: { ios_push: { alert: 'x', extra: { ids } } } },
      now(),
    );
    const row = await until(() => store.messages.sends.findOne({ state: 'sent' }));
    expect(row._id).toContain(body.dispatch_id);
    expect(row.outbox).toContain(`"extra":{"ids":${digits}}`);
  });

  it('are shown by a preview', async () => {
    await ada();
    const liquid = openLiquid();
    const asked = {
      ws,
      person: 'p1',
      channel: 'ios_push' as const,
      content: { alert, extra: { id: ids[1] ?? 0 } },
    };
    const preview = await createPreview({ store, liquid, urls })(asked);
    await liquid.close();
    expect(preview).toHaveProperty('content', {
      alert: '9007199254740993 {"id":9007199254740993}',
      extra: { id: 9007199254740993n },
    });
  });

  it.each(['messages.send', 'messages.live_activity.start', 'messages.live_activity.update'] as const)(
    'of more than 64 bits are refused: %s',
    async (op) => {
      const tooLong = { ids: [2n ** 64n] };
      const body = {
        ...{ app_id: 'shop', activity_id: 'match', activity_attributes_type: 'Match' },
        ...{ external_user_ids: ['u1'], content_state: tooLong, activity_attributes: {} },
        messages: { ios_push: { alert: 'x', extra: tooLong } },
      };
      const { status, body: answer } = await test.send(op, body);
      expect(status).toBe(400);
      expect(JSON.stringify(answer)).toContain('ids[0] must be a whole number of at most 64 bits');
    },
  );
});

describe('whole numbers beyond 2^53 in a live activity', () => {
  const named = { app_id: 'shop', activity_id: 'match' };

  it('go out with all their digits when it starts', async () => {
    await ada();
    const { got } = handed();
    const { body } = await test.send(
      'messages.live_activity.start',
      {
        ...{ ...named, external_user_ids: ['u1'], activity_attributes_type: 'Match' },
        ...{ activity_attributes: { ids }, content_state: { id: ids[1] } },
        notification: { alert: { title: 'x', body: 'x' } },
      },
      now(),
    );
    await until(() =>
      store.messages.schedules.findOne({ dispatch: String(body.dispatch_id), ended: { $exists: true } }),
    );
    expect(got).toHaveLength(1);
    expect(parseExact(got[0] ?? '')).toMatchObject({
      activity_attributes: { ids },
      content_state: { id: 9007199254740993n },
    });
  });

  it('go out with all their digits when it is updated, and are shown so', async () => {
    await test.send('messages.live_activity.register', { ...named, push_token: 'ab'.repeat(32) });
    await test.send('messages.live_activity.update', { ...named, content_state: { ids } });
    const got: string[] = [];
    const activities = startActivities({
      store,
      async hand(_ws, _channel, _address, { content }) {
        got.push(stringifyExact(content));
        return sent;
      },
      onTold() {},
      onError(error) {
        throw error;
      },
    });
    await until(() => got.length > 0);
    await activities.stop();
    expect(got).toEqual([expect.stringContaining(`"content_state":{"ids":${digits}}`)]);
    const { body } = await test.send('messages.live_activity.get', undefined, {
      params: { activity_id: 'match' },
      query: { app_id: 'shop' },
    });
    expect(body).toMatchObject({ update: { content_state: { ids } } });
  });
});
