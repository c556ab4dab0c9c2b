/** What a person says on the page of a preference center: about themselves, by service id. */
import type { AcceptedRequest, SubscriptionSet, SubscriptionSetGroup } from '@roster/contract';
import { accepted, later, useStore } from '@roster/testkit';
import { createApply } from './apply.ts';
import { addAlerts, createTestbed } from './testbed.ts';

const store = useStore();
const apply = later(() => createApply({ store }));
const bed = createTestbed(store);
beforeAll(() => addAlerts(store));

const page = { action: 'preference_center.submit', preference_center_api_id: 'c-1' } as const;

const submitted = (...groups: SubscriptionSetGroup[]): AcceptedRequest => {
  const body: SubscriptionSet = { subscription_groups: groups, page };
  return { ...accepted('subscription.status.set.v2', stand, bed.nextStamp()), body: body as never };
};

const stand = {
  subscription_groups: [
    { subscription_group_id: 'news', subscription_state: 'subscribed', emails: ['a@b.co'] },
  ],
};

const emails = (subscription_state: SubscriptionSetGroup['subscription_state'], person: string) => ({
  subscription_state,
  service_ids: [person],
});

const group = (subscription_group_id: string, state: 'subscribed' | 'unsubscribed', person: string) => ({
  subscription_group_id,
  ...emails(state, person),
});

describe('a submitted page', () => {
  it('changes groups and emails as a whole, and the history names the preference center', async () => {
    const { id, service, email } = await bed.person();
    const [applied] = await apply([
      submitted(
        group('news', 'subscribed', service),
        group('alerts', 'unsubscribed', service),
        emails('opted_in', service),
      ),
    ]);
    expect(applied?.entries).toEqual({ service_ids: ['updated', 'updated', 'updated'] });
    expect(await bed.statesOf(id)).toEqual({ news: 'subscribed', alerts: 'unsubscribed', email: 'opted_in' });
    expect((await bed.saidOf(email)).map(({ k, v }) => [k, v])).toEqual([
      ['group:news', 'subscribed'],
      ['email', 'opted_in'],
    ]);
    const history = await store.consentHistory.find('demo', { by: 'service_id', id: service });
    expect(history?.map(({ op }) => op)).toEqual(Array(3).fill('preference_center.submit:c-1'));
  });

  it('is about the kept person when they were merged meanwhile', async () => {
    const [away, kept] = [await bed.person(), await bed.person()];
    await store.profiles.deleteOne({ _id: away.service });
    await store.profiles.updateOne({ _id: kept.service }, { $set: { absorbed: [away.service] } });
    const [applied] = await apply([submitted(group('news', 'unsubscribed', away.service))]);
    expect(applied?.entries).toEqual({ service_ids: ['updated'] });
    expect(await bed.statesOf(kept.id)).toEqual({ news: 'unsubscribed' });
  });

  it('of a person who was deleted, or is of another workspace, changes nothing', async () => {
    const gone = await bed.person();
    const [other] = await bed.store([{ more: { _id: 's-other', ws: 'other' } }]);
    await store.profiles.deleteOne({ _id: gone.service });
    const [applied] = await apply([
      submitted(group('news', 'subscribed', gone.service), group('news', 'subscribed', 's-other')),
    ]);
    expect(applied?.entries).toEqual({ service_ids: ['ignored:no_such_user', 'ignored:no_such_user'] });
    expect(await store.profiles.findOne({ _id: 's-other' })).toEqual(other);
  });
});

it('cannot be sent by a caller of the interface', () => {
  const [sent] = stand.subscription_groups;
  const { body } = accepted(
    'subscription.status.set.v2',
    { subscription_groups: [{ ...sent, service_ids: ['s-1'] }], page },
    bed.nextStamp(),
  );
  expect(body).toEqual(stand);
});
