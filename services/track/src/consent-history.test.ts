import { groupKey } from '@roster/profile';
import { useTrack } from './testbed.ts';

const { store, apply, inTurn, track, ...bed } = useTrack();

/** Oldest first. */
const historyOf = async (id: string) =>
  ((await store.consentHistory.find('demo', { by: 'external_id', id })) ?? []).toReversed();

const news = (subscription_state: string) => ({
  subscription_groups: [{ subscription_group_id: 'news', subscription_state }],
});

describe('the history of tracked consent', () => {
  it('every change is kept with its request, once, and repetitions are not', async () => {
    const id = bed.uniqueId();
    const requests = [
      bed.attributes({ external_id: id, email_subscribe: 'opted_in', push_subscribe: 'subscribed' }),
      bed.attributes({ external_id: id, email_subscribe: 'opted_in', ...news('subscribed') }),
      bed.attributes({ external_id: id, email_subscribe: 'unsubscribed' }),
    ];
    await inTurn(...requests);
    await apply(requests);
    const [first, second, third] = requests.map((request) => request.at);
    expect((await historyOf(id)).map(({ k, from, to, at, op }) => [k, from, to, at, op])).toEqual([
      ['push', null, 'subscribed', first, 'users.track'],
      ['email', null, 'opted_in', first, 'users.track'],
      [groupKey('news'), null, 'subscribed', second, 'users.track'],
      ['email', 'opted_in', 'unsubscribed', third, 'users.track'],
    ]);
  });

  it('people with the email share it; a person who gets the email later begins with its state', async () => {
    const [ada, bob, late] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    const email = `${ada}@b.co`;
    await apply([ada, bob].map((external_id) => bed.attributes({ external_id, email })));
    await track({ external_id: ada, ...news('subscribed') });
    await track({ external_id: late, email });
    await track({ external_id: ada, ...news('unsubscribed') });
    const states = async (id: string) => (await historyOf(id)).map(({ to }) => to);
    expect(await states(ada)).toEqual(['subscribed', 'unsubscribed']);
    expect(await states(bob)).toEqual(['subscribed', 'unsubscribed']);
    expect(await states(late)).toEqual(['subscribed', 'unsubscribed']);
    const joined = (await historyOf(late))[0];
    expect(joined?.at).toBe((await bed.storedOf(late)).created_at);
    expect(joined?.op).toBeUndefined();
  });
});
