/** Users whom a schedule names, and who are merged before it falls due. */
import { identityKey } from '@roster/profile';
import type { ScheduleDocument } from '@roster/store';
import { aDelivery } from '@roster/testkit';
import { createNextPage } from './page.ts';
import { createSenderSettings } from './settings.ts';
import { always, noBudget, person, schedule, toWebhook, useSending, ws } from './testbed.ts';

const { store, run, rows } = useSending();

const createdAt = 1000;
const expires = new Date('2099-01-01');

const idKey = (id: string) => identityKey(ws, { by: 'external_id', id });
const aliasKey = identityKey(ws, { by: 'user_alias', label: 'cookie', name: 'c' });

const claim = (_id: string, profile: string, more: object = {}) =>
  store.identities.insertOne({ _id, profile, at: 1, ...more });

/** A merge or an alias that moves leaves it: `to` is the service id of the person who had the name. */
const lost = (key: string, to: string | undefined, at = createdAt + 1) =>
  store.tombstones.write([{ ws, key, at, ...(to !== undefined && { to }), expires }]);

const named = (recipients: object, more: Partial<ScheduleDocument> = {}): ScheduleDocument =>
  schedule(toWebhook(), {
    recipients: JSON.stringify(recipients),
    created: createdAt,
    ...more,
  });

const sendTo = async (recipients: object) => {
  await run(always({ state: 'sent' }), named(recipients));
  const found = await store.messages.deliveries.findOne({});
  return { rows: await rows(), sent: found?.counts.sent };
};

beforeEach(() => store.profiles.insertOne(person(1, { absorbed: ['p8', 'p9'] })));

const toOld = { external_user_ids: ['old'] };
const toKept = { rows: { p1: 'sent' }, sent: 1 };
const toNobody = (...ids: string[]) => ({
  rows: Object.fromEntries(ids.map((id) => [idKey(id), 'skipped: unknown'])),
  sent: 0,
});

test('who was merged since the schedule was made gets it as the kept person', async () => {
  await lost(idKey('old'), 'p9');
  expect(await sendTo(toOld)).toEqual(toKept);
});

test('who was merged before the schedule was made is not meant', async () => {
  await lost(idKey('early'), 'p9', createdAt - 1);
  expect(await sendTo({ external_user_ids: ['early'] })).toEqual(toNobody('early'));
});

test('two names of one person are one send', async () => {
  await claim(idKey('u1'), 'p1');
  await lost(idKey('old'), 'p9');
  await lost(idKey('older'), 'p8');
  expect(await sendTo({ external_user_ids: ['older', 'old', 'u1'] })).toEqual({
    rows: { p1: 'sent', [idKey('old')]: 'skipped: duplicate', [idKey('u1')]: 'skipped: duplicate' },
    sent: 1,
  });
});

test('a name that somebody else has got since is theirs', async () => {
  await store.profiles.insertOne(person(2));
  await lost(idKey('old'), 'p9');
  await claim(idKey('old'), 'p2');
  expect(await sendTo(toOld)).toEqual({ rows: { p2: 'sent' }, sent: 1 });
});

test('nobody gets it whose name went on to a person who was deleted', async () => {
  await lost(idKey('gone'), 'p9');
  await lost(idKey('gone'), undefined, createdAt + 2);
  await lost(idKey('other'), 'p7');
  expect(await sendTo({ external_user_ids: ['gone', 'other'] })).toEqual(toNobody('gone', 'other'));
});

test('an alias whose person was identified leads to the identified one, once', async () => {
  const recipients = { user_aliases: [{ alias_label: 'cookie', alias_name: 'c' }] };
  await lost(aliasKey, 'p9');
  await claim(aliasKey, 'p1', { moved: createdAt + 1 });
  expect(await sendTo(recipients)).toEqual(toKept);
});

const inAudience = {
  ...toOld,
  audience: { custom_attribute: { custom_attribute_name: 'x', comparison: 'equals', value: 1 } },
};
const joinAudience = () =>
  store.profiles.updateOne({ _id: 'p1' }, { $set: { custom: [{ k: 'x', v: 1, at: 1 }] } });

test('where an audience is asked for too, the kept person is looked for in it', async () => {
  await lost(idKey('old'), 'p9');
  await joinAudience();
  expect(await sendTo(inAudience)).toEqual(toKept);
});

describe('a merge between two pages', () => {
  /** p1 stands before the place up to which the delivery was read; who was named stands after it. */
  const goOn = async (recipients: object) => {
    const { due: _due, ...one } = named(recipients);
    const { _id, dispatch, time, created } = one;
    const message = JSON.stringify(toWebhook().webhook);
    const halfRead = { recipients: one.recipients, message, cursor: 'p5' };
    const delivery = aDelivery({ schedule: _id, dispatch, time, created, ...halfRead });
    await store.messages.deliveries.insertOne(delivery);
    await run(always({ state: 'sent' }), { ...one, state: 'sending', open: 1 });
    return rows();
  };

  test('does not have the kept person passed over', async () => {
    await claim(aliasKey, 'p1', { moved: createdAt + 1 });
    await lost(aliasKey, 'p9');
    const toAlias = { user_aliases: [{ alias_label: 'cookie', alias_name: 'c' }] };
    expect(await goOn(toAlias)).toEqual({ p1: 'sent' });
  });

  test('does not have the kept person passed over in an audience', async () => {
    await lost(idKey('old'), 'p9');
    await joinAudience();
    expect(await goOn(inAudience)).toEqual({ p1: 'sent' });
  });

  test('sends nothing to a kept person who is not in the audience', async () => {
    await lost(idKey('old'), 'p9');
    expect(await goOn(inAudience)).toEqual({ [idKey('old')]: 'skipped: not_in_audience' });
  });
});

describe('a page of an audience', () => {
  const nextPage = (
    pay: () => Promise<boolean>,
    { beforeLook = async () => {}, recipients = inAudience, room = 10 } = {},
  ) =>
    createNextPage({
      store: {
        ...store,
        audiences: {
          ...store.audiences,
          look: async (question) => {
            await beforeLook();
            return store.audiences.look(question);
          },
        },
      },
      settingsOf: createSenderSettings(store),
      scanBudget: { ...noBudget, pay },
    })({ ws, created: createdAt, cursor: 'p5' }, recipients, room);

  test('has who is merged just before they are looked for', async () => {
    await store.profiles.updateOne({ _id: 'p1' }, { $unset: { absorbed: 1 } });
    await store.profiles.insertOne(person(9));
    await claim(idKey('old'), 'p9');
    const beforeLook = async () => {
      await store.profiles.deleteOne({ _id: 'p9' });
      await store.profiles.updateOne({ _id: 'p1' }, { $set: { absorbed: ['p9'] } });
      await joinAudience();
    };
    const page = await nextPage(async () => true, { beforeLook });
    expect(page).toMatchObject({ ids: ['p9'], isLast: true });
  });

  test('has no more merged people than there is room for', async () => {
    await lost(idKey('old'), 'p9');
    await lost(idKey('older'), 'p8');
    await joinAudience();
    const recipients = { ...inAudience, external_user_ids: ['old', 'older'] };
    expect(await nextPage(async () => true, { recipients, room: 1 })).toEqual({
      ...{ ids: ['p8'], cursor: 'p8', isLast: false },
    });
  });

  test('ends before a merged person for whom the workspace cannot pay', async () => {
    await lost(idKey('old'), 'p9');
    await joinAudience();
    let paid = 2;
    expect(await nextPage(async () => paid-- > 0)).toEqual({
      ...{ ids: [], cursor: 'p5', isLast: false, isLater: true },
    });
  });
});
