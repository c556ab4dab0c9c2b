import type { AcceptedRequest } from '@roster/contract';
import { nameDigest, type Pending } from '@roster/queue';
import { later } from '@roster/testkit';
import { createApply } from './apply.ts';
import { entriesOf, useTrack } from './testbed.ts';

const secret = 'a secret of this test';
const earlier = 'the secret of before';

const { store, ...bed } = useTrack();
/** Pending deletions in the workspace, and the oldest track request elsewhere. */
let pending: Pending | undefined;
let oldest: number;

const apply = later(() =>
  createApply(
    { store },
    {
      oldestBeside: async () => () => oldest,
      pendingFor: async () => new Map(pending ? [['demo', pending]] : []),
      secret: { makes: secret, others: [{ secret: earlier, until: new Date('2000-01-01') }] },
    },
  ),
);
beforeEach(() => {
  pending = undefined;
  oldest = Number.POSITIVE_INFINITY;
});

const applied = async (...requests: AcceptedRequest[]) => (await apply(requests)).map(entriesOf);

/** A deletion by these keys, accepted now. */
const accept = (keys: string[], byContact = false, under = secret): void => {
  bed.pass(1);
  pending = { oldest: bed.now(), names: new Set(keys.map((key) => nameDigest(under, key))), byContact };
  bed.pass(1);
};

/** With an email, so that there is more than one name. */
const create = async (): Promise<{ id: string; email: string }> => {
  const id = bed.uniqueId();
  const email = `${id}@example.com`;
  await bed.track({ external_id: id, email });
  return { id, email };
};

describe('while a deletion is pending', () => {
  it.each([
    [earlier, ['later']],
    ['a secret that is not known', [{ attributes: ['updated'] }]],
  ])('entries wait that a process named under %s', async (under, outcome) => {
    const ada = await create();
    accept([`demo:e:${ada.id}`], false, under);
    expect(await applied(bed.attributes({ external_id: ada.id, a: 1 }))).toEqual(outcome);
  });

  it('entries about the person wait, by every identifier; all others go on', async () => {
    const [ada, bob] = [await create(), await create()];
    const before = bed.events({ external_id: ada.id });
    accept([`demo:e:${ada.id}`]);
    const others = [bed.attributes({ external_id: bob.id, n: 1 }), bed.events({ external_id: bob.id })];
    const theirs = [bed.events({ external_id: ada.id }), bed.events({ email: ada.email })];
    expect(await applied(before, ...theirs, ...others)).toEqual([
      { events: ['updated'] },
      ...['later', 'later'],
      ...[{ attributes: ['updated'] }, { events: ['updated'] }],
    ]);
    expect(await bed.eventsOf(ada.id)).toHaveLength(1);
    pending = undefined;
    expect(await applied(bed.events({ external_id: ada.id }))).toEqual([{ events: ['updated'] }]);
  });

  it('an entry waits that gives a contact of the person to another one', async () => {
    const [ada, bob] = [await create(), await create()];
    accept([`demo:e:${ada.id}`]);
    expect(await applied(bed.attributes({ external_id: bob.id, email: ada.email }))).toEqual(['later']);
  });

  it('an entry for an unknown person waits for an older waiting one of its batch', async () => {
    const ada = await create();
    accept([`demo:e:${ada.id}`]);
    const nobodyYet = { user_alias: { alias_label: 'crm', alias_name: `new-${ada.id}` } };
    const first = bed.request({
      attributes: [
        { external_id: ada.id, n: 1 },
        { ...nobodyYet, _update_existing_only: false },
      ],
    });
    expect(await applied(first, bed.events(nobodyYet))).toEqual(['later', 'later']);
    expect(await applied(bed.events(nobodyYet))).toEqual([{ events: ['ignored:no_such_user'] }]);
  });

  it('no entry waits for ever', async () => {
    const ada = await create();
    accept([`demo:e:${ada.id}`]);
    const event = bed.events({ external_id: ada.id });
    expect((await apply([event], new Set([event.id]))).map(entriesOf)).toEqual([{ events: ['updated'] }]);
  });

  it('by a contact, the whole workspace waits until every earlier request is applied', async () => {
    const [ada, bob] = [await create(), await create()];
    accept([`demo:m:${ada.email}`], true);
    const requests = [bed.events({ external_id: bob.id }), bed.events({ external_id: ada.id })];
    oldest = (pending?.oldest ?? 0) - 1;
    expect(await applied(...requests)).toEqual(['later', 'later']);
    oldest = (pending?.oldest ?? 0) + 1;
    expect(await applied(...requests)).toEqual([{ events: ['updated'] }, 'later']);
  });
});
