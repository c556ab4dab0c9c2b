import type { AcceptedRequest } from '@roster/contract';
import type { OldestBeside, ReadEarlier } from '@roster/queue';
import { later } from '@roster/testkit';
import { createApply } from './apply.ts';
import { entriesOf, useTrack } from './testbed.ts';

const { store, inTurn, ...bed } = useTrack();
/** The oldest unfinished request elsewhere. */
let oldest = Number.POSITIVE_INFINITY;
/** Unfinished requests that can be read; `undefined`: none of them can. */
let unfinished: AcceptedRequest[] | undefined;
let asked: ReadonlySet<number>[] = [];

const readEarlier: ReadEarlier = async () => ({
  requests: unfinished ?? [],
  upTo: unfinished ? Number.POSITIVE_INFINITY : oldest - 1,
});

const oldestBeside: OldestBeside = async (own) => {
  asked.push(own);
  return () => oldest;
};

const apply = later(() => createApply({ store }, { oldestBeside, readEarlier }));
beforeEach(() => {
  oldest = Number.POSITIVE_INFINITY;
  unfinished = undefined;
  asked = [];
});

const alias = (name: string) => ({ user_alias: { alias_label: 'crm', alias_name: name } });
const applied = async (...requests: AcceptedRequest[]) => (await apply(requests)).map(entriesOf);
const ids = (requests: AcceptedRequest[]) => new Set(requests.map(({ id }) => id));

describe('an entry for an unknown person', () => {
  it('waits while a request accepted before it is unfinished, and finds the person that this creates', async () => {
    const creates = bed.attributes({ ...alias('early'), _update_existing_only: false });
    const event = bed.events(alias('early'));
    oldest = creates.at;
    expect(await applied(event)).toEqual(['later']);
    expect(await store.outcomes.read('demo', event.id)).toBeUndefined();
    await inTurn(creates);
    oldest = Number.POSITIVE_INFINITY;
    expect(await applied(event)).toEqual([{ events: ['updated'] }]);
  });

  it.each([
    ['an alias', alias('somebody')],
    ['an email', { email: 'Some.Body@example.com' }],
    ['a phone', { phone: '+15005550123' }],
    ['an external id', { external_id: 'somebody' }],
  ])('by %s waits for an unfinished request that names them, not for others', async (_, who) => {
    const naming = bed.attributes({ external_id: 'x', friends: [who] });
    const other = bed.attributes({ external_id: 'y' });
    const entry = bed.attributes({ ...who, n: 1, _update_existing_only: true });
    oldest = naming.at;
    unfinished = [naming, other];
    expect(await applied(entry)).toEqual(['later']);
    unfinished = [other];
    expect(await applied(entry)).toEqual([{ attributes: ['ignored:no_such_user'] }]);
  });

  it('is ignored at once when none is', async () => {
    const event = bed.events(alias('never'));
    expect(await applied(event)).toEqual([{ events: ['ignored:no_such_user'] }]);
    expect(asked).toEqual([new Set([event.at])]);
  });

  it('waits for the rest of a job that is not in its batch as a whole', async () => {
    const events = [bed.events(alias('never')), bed.events(alias('never'))];
    oldest = events[0]?.at ?? 0;
    const none = () => new Set<number>();
    expect((await apply(events, undefined, none)).map(entriesOf)).toEqual(['later', 'later']);
    expect(asked).toEqual([new Set()]);
  });

  it('does not wait for requests accepted after it, nor for ever', async () => {
    const events = [bed.events(alias('never')), bed.events(alias('never'))];
    oldest = (events[0]?.at ?? 0) + 1;
    expect(await applied(...events)).toEqual([{ events: ['ignored:no_such_user'] }, 'later']);
    expect((await apply(events.slice(1), ids(events))).map(entriesOf)).toEqual([
      { events: ['ignored:no_such_user'] },
    ]);
  });

  it('postpones no other request', async () => {
    const ada = bed.uniqueId();
    const batch = [bed.events(alias('never')), bed.events({ external_id: ada }), bed.events(alias('never'))];
    oldest = 0;
    expect(await applied(...batch)).toEqual(['later', { events: ['created'] }, 'later']);
    expect(await bed.eventsOf(ada)).toHaveLength(1);
  });

  it('is not about a person created after it', async () => {
    const early = bed.attributes({ ...alias('younger'), n: 1 });
    await bed.track({ ...alias('younger'), _update_existing_only: false });
    expect(await applied(early)).toEqual([{ attributes: ['ignored:no_such_user'] }]);
  });
});

describe('a person created by a request that was accepted before and applied after', () => {
  it('was there from the earlier request on', async () => {
    const creates = bed.request({
      attributes: [{ ...alias('late'), _update_existing_only: false }],
      events: [alias('late')],
    });
    const event = bed.events(alias('late'));
    await bed.track({ ...alias('late'), _update_existing_only: false });
    oldest = creates.at;
    expect(await applied(event)).toEqual(['later']);
    oldest = Number.POSITIVE_INFINITY;
    expect(entriesOf(await inTurn(creates))).toEqual({ attributes: ['updated'], events: ['updated'] });
    expect(await applied(event)).toEqual([{ events: ['updated'] }]);
  });
});

describe('a person known only by an email', () => {
  it('is not created while a request that creates its owner may be unfinished', async () => {
    const [ada, email] = [bed.uniqueId(), `${bed.uniqueId()}@example.com`];
    const first = bed.attributes({ external_id: ada, email });
    const second = bed.attributes({ email, plan: 'gold' });
    oldest = first.at;
    expect(await applied(second)).toEqual(['later']);
    await inTurn(first);
    oldest = Number.POSITIVE_INFINITY;
    expect(await applied(second)).toEqual([{ attributes: ['updated'] }]);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ plan: 'gold' });
    expect(await store.profiles.countDocuments({ email_key: email })).toBe(1);
  });

  it('would be there twice without the wait', async () => {
    const [ada, email] = [bed.uniqueId(), `${bed.uniqueId()}@example.com`];
    const [first, second] = [bed.attributes({ external_id: ada, email }), bed.attributes({ email })];
    await inTurn(second, first);
    expect(await store.profiles.countDocuments({ email_key: email })).toBe(2);
  });
});
