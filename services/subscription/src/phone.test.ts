/** What a person says by an answer to a text message: about their phone. */
import { type AcceptedRequest, phoneActions, type SubscriptionSet } from '@roster/contract';
import { accepted, later, useStore } from '@roster/testkit';
import { createApply } from './apply.ts';
import { addAlerts, createTestbed } from './testbed.ts';

const store = useStore();
const apply = later(() => createApply({ store }));
const bed = createTestbed(store);
beforeAll(() => addAlerts(store));

const answered = (state: 'unsubscribed' | null, phone: string): AcceptedRequest => {
  const said: SubscriptionSet = {
    subscription_groups: [{ subscription_group_id: 'alerts', subscription_state: state, phones: [phone] }],
    phone: state === null ? phoneActions.start : phoneActions.stop,
  };
  return {
    ...bed.v2('unsubscribed', { subscription_group_id: 'alerts', phones: [phone] }),
    body: said as never,
  };
};

const changesOf = async (id: string) => {
  const found = await store.consentHistory.find('demo', { by: 'external_id', id });
  return found?.toReversed().map(({ from, to, op }) => [from, to, op]);
};

describe('a START about a group in which the phone had no state before the STOP', () => {
  it('leaves the person without a state, and the history says so', async () => {
    const { id, phone } = await bed.person();
    const [applied] = await apply([answered('unsubscribed', phone), answered(null, phone)]);
    expect(applied?.entries).toEqual({ phones: ['updated'] });
    expect(await bed.statesOf(id)).toEqual({ alerts: null });
    expect(await changesOf(id)).toEqual([
      [null, 'unsubscribed', 'phone.stop'],
      ['unsubscribed', null, 'phone.start'],
    ]);
  });

  it.each(['subscribed', 'unsubscribed'] as const)(
    'gives a person the state that they stated before they had the phone: %s',
    async (state) => {
      const { id, phone, service } = await bed.person();
      await store.profiles.updateOne({ _id: service }, { $unset: { 'fields.phone': 1, phone_key: 1 } });
      await apply([bed.v2(state, { subscription_group_id: 'alerts', external_ids: [id] })]);
      const phoneNow = { 'fields.phone': { v: phone, at: bed.nextStamp() }, phone_key: phone };
      await store.profiles.updateOne({ _id: service }, { $set: phoneNow });
      expect(await bed.statesOf(id)).toEqual({ alerts: state });
      await apply([answered('unsubscribed', phone), answered('unsubscribed', phone)]);
      expect(await bed.statesOf(id)).toEqual({ alerts: 'unsubscribed' });
      await apply([answered(null, phone)]);
      expect(await bed.statesOf(id)).toEqual({ alerts: state });
    },
  );
});

it.each([
  ['subscribed', undefined],
  [null, 'subscription_state'],
])('a caller says that the state is %p: the fault is %p', (subscription_state, fault) => {
  const sent = { subscription_group_id: 'alerts', subscription_state, phones: ['+15005550006'] };
  const say = () => accepted('subscription.status.set.v2', { subscription_groups: [sent] }, bed.nextStamp());
  if (fault === undefined) expect(say).not.toThrow();
  else expect(say).toThrow(fault);
});
