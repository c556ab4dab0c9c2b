import { createReplies } from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import { aPurchase, serviceId } from '@roster/testkit';
import { defaultSettings } from './settings.ts';
import { createSync } from './sync.ts';
import { useTrack } from './testbed.ts';

const { store, apply, ...bed } = useTrack();
let replies: ReturnType<typeof createReplies>;
beforeAll(() => {
  replies = createReplies(createSync({ store, settingsOf: () => defaultSettings }));
});

const answered = async (request: AcceptedRequest) => {
  const sent: AcceptedRequest = { ...request, op: 'users.track.sync', reply: 'ingress-1' };
  const [outcome] = await apply([sent]);
  if (!outcome) throw new Error('no outcome');
  const { status, body } = await replies.applied(sent, outcome);
  return { status, body: JSON.parse(body) };
};
const success = (...users: unknown[]) => ({ status: 201, body: { message: 'success', users } });

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

describe('one update that is answered with its effect', () => {
  it.each([
    ['external_id', (name: string) => ({ external_id: name })],
    ['email', (name: string) => ({ email: `${name}@B.co` })],
    ['phone', (name: string) => ({ phone: `+1500555${1000 + Number(name.slice(7))}` })],
    ['user_alias', (name: string) => ({ user_alias: { alias_label: 'crm', alias_name: name } })],
  ])('shows the custom attributes of a person named by %s', async (_, about) => {
    const sent = about(bed.uniqueId());
    const entry = { ...sent, _update_existing_only: false };
    expect(await answered(bed.attributes({ ...entry, n: { inc: 2 } }))).toEqual(
      success({ ...sent, custom_attributes: { n: 2 } }),
    );
    expect(await answered(bed.attributes({ ...entry, colour: 'red' }))).toEqual(
      success({ ...sent, custom_attributes: { n: 2, colour: 'red' } }),
    );
  });

  it('counts the events of that name of the last 90 days', async () => {
    const external_id = bed.uniqueId();
    const [first, last] = [daysAgo(80), daysAgo(1)];
    await apply([
      bed.events({ external_id, time: first }, { external_id, time: daysAgo(91) }),
      bed.events({ external_id, name: 'other', time: daysAgo(2) }),
    ]);
    expect(await answered(bed.events({ external_id, time: last }))).toEqual(
      success({ external_id, custom_events: [{ name: 'seen', first, last, count: 2 }] }),
    );
  });

  it('counts the purchases of that product, those of absorbed profiles too', async () => {
    const external_id = bed.uniqueId();
    const [first, last] = [daysAgo(50), daysAgo(1)];
    await apply([bed.purchases({ external_id, product_id: 'cup', time: last })]);
    const profile = serviceId(`absorbed-${external_id}`);
    await bed.absorb(external_id, profile);
    await store.purchases.insert([aPurchase(profile, { time: new Date(first) })]);
    expect(await answered(bed.purchases({ external_id, time: last }))).toEqual(
      success({ external_id, purchase_events: [{ product_id: 'tea', first, last, count: 2 }] }),
    );
  });

  it('shows no person when none was found', async () => {
    expect(await answered(bed.attributes({ external_id: 'new', _update_existing_only: true }))).toEqual(
      success(),
    );
    expect(await answered(bed.events({ service_id: 'nobody' }))).toEqual(success());
    const user_alias = { alias_label: 'crm', alias_name: 'nobody' };
    expect(await answered(bed.events({ user_alias }))).toEqual(success());
  });

  it('has the same effect once, and the same kind of answer, when it is applied again', async () => {
    const external_id = bed.uniqueId();
    const sent = bed.attributes({ external_id, n: { inc: 1 } });
    expect(await answered(sent)).toEqual(success({ external_id, custom_attributes: { n: 1 } }));
    expect(await answered(sent)).toEqual(success({ external_id, custom_attributes: { n: 1 } }));
    await bed.track({ external_id, n: { inc: 5 } });
    expect(await answered(sent)).toEqual(success({ external_id, custom_attributes: { n: 6 } }));
  });

  it('writes nothing by being answered', async () => {
    const email = `${bed.uniqueId()}@b.co`;
    await answered(bed.attributes({ email, email_subscribe: 'opted_in' }));
    const stored = async () => [
      await store.profiles.find({ email_key: email }).toArray(),
      await store.contacts.countDocuments(),
    ];
    const before = await stored();
    const sent = bed.events({ email });
    await answered(sent);
    await answered(sent);
    expect(await stored()).toEqual(before);
  });

  it('fails for a request that was parked', () => {
    const request = { ...bed.attributes(), op: 'users.track.sync' as const, reply: 'ingress-1' };
    expect(replies.failed(request, 'poison')).toMatchObject({ status: 500 });
    const track = { ...request, op: 'users.track' as const };
    expect(JSON.parse(replies.failed(track, 'poison').body)).toMatchObject({ state: 'failed' });
  });
});
