import type { ProfileChange } from '@roster/profile';
import { useStore } from '@roster/testkit';
import { aPerson, at, createTestbed } from './testbed.ts';

const test = createTestbed(useStore());

beforeAll(async () => {
  const alias = (name: string) => [{ label: 'crm', name }];
  const has = (phone: string) =>
    [
      { kind: 'field', name: 'email', value: 'Shared@b.co' },
      { kind: 'field', name: 'phone', value: phone },
    ] as const;
  const device: ProfileChange = {
    kind: 'list',
    name: 'devices',
    items: [{ k: 'd-1', v: { device_id: 'd-1' } }],
  };
  await test.add(
    aPerson({ _id: '00a1', external_id: 'ada', former_ids: ['countess'], aliases: alias('a-7') }, [
      ...has('+15005550001'),
      device,
    ]),
    aPerson({ _id: '00b2', external_id: '12345', aliases: alias('b-7') }, has('+15005550002')),
    aPerson({ _id: '00c3', external_id: 'cleo', absorbed: ['00x8', '00x9'] }),
    aPerson({ _id: '00d4', external_id: 'theirs', ws: 'other' }, has('+15005550001')),
  );
});

const found = async (body: object, ws = 'demo') => (await test.ask(body, { ws })).users;
const users = (...ids: string[]) => ids.map((external_id) => ({ external_id }));

describe('the people of an export', () => {
  it.each([
    ['external id', { external_ids: ['ada'] }, ['ada']],
    ['a deprecated external id, shown with the present one', { external_ids: ['countess'] }, ['ada']],
    ['alias', { user_aliases: [{ alias_label: 'crm', alias_name: 'b-7' }] }, ['12345']],
    ['device', { device_id: 'd-1' }, ['ada']],
    ['service id', { service_id: '00a1' }, ['ada']],
    ['the service id of a person merged into them', { service_id: '00x9' }, ['cleo']],
    ['phone', { phone: '+15005550002' }, ['12345']],
    ['phone, in another spelling', { phone: '(500) 555-0002' }, ['12345']],
    ['email, in another spelling, all who have it', { email_address: ' sharEd@B.co' }, ['ada', '12345']],
  ])('are found by %s', async (_, body, ids) => {
    expect(await test.ask(body)).toEqual({ message: 'success', users: users(...ids) });
  });

  it('come in the order of the request: external ids, aliases, the other one', async () => {
    const user_aliases = [{ alias_label: 'crm', alias_name: 'a-7' }];
    expect(await found({ external_ids: ['cleo', '12345'], user_aliases })).toEqual(
      users('cleo', '12345', 'ada'),
    );
    expect(await found({ external_ids: ['12345'], email_address: 'shared@b.co' })).toEqual(
      users('12345', 'ada'),
    );
  });

  it('come once each, in whatever ways they are named', async () => {
    const body = { external_ids: ['ada', 'countess', 'ada'], email_address: 'shared@b.co' };
    expect(await found(body)).toEqual(users('ada', '12345'));
  });

  it.each([
    [{ external_ids: ['nobody', 'ada', 'no one', 'nobody'] }, ['nobody', 'no one']],
    [{ external_ids: ['ADA'], user_aliases: [{ alias_label: 'CRM', alias_name: 'a-7' }] }, ['ADA', 'a-7']],
    [{ phone: '(500) 555-9999' }, ['(500) 555-9999']],
    [{ phone: 'not a number' }, ['not a number']],
    [{ email_address: 'No@Body.co' }, ['No@Body.co']],
    [{ device_id: 'd-2' }, ['d-2']],
    [{ service_id: '00ff' }, ['00ff']],
  ])('without a match are named as they were sent: %j', async (body, invalid) => {
    expect((await test.ask(body)).invalid_user_ids).toEqual(invalid);
  });

  it('are none when none are asked for', async () => {
    expect(await test.ask({})).toEqual({ message: 'success', users: [] });
  });

  it('are never those of another workspace', async () => {
    for (const body of [{ service_id: '00a1' }, { service_id: '00x9' }, { device_id: 'd-1' }]) {
      expect(await found(body, 'other')).toEqual([]);
    }
    expect(await found({ external_ids: ['ada'] }, 'other')).toEqual([]);
    expect(await found({ phone: '+15005550001' }, 'other')).toHaveLength(1);
  });
});

it('a person who is found by data that was stored after the request is shown all the same', async () => {
  expect((await test.ask({ external_ids: ['ada'] }, { stamp: at - 1e9 })).users).toHaveLength(1);
});
