/** Of several people who share an email or phone, an entry is about the person who was changed last, as stored when the entry is applied. */
import type { AcceptedRequest } from '@roster/contract';
import { type EntryKind, entryKinds } from '@roster/profile';
import { createApply } from './apply.ts';
import { useTrack } from './testbed.ts';

const { store, inTurn, countOf, ...bed } = useTrack();

/** Two people with one email; the second one was changed last. */
const sharers = async () => {
  const [ada, bob, email] = [bed.uniqueId(), bed.uniqueId(), `${bed.uniqueId()}@b.co`];
  await inTurn(bed.attributes({ external_id: ada, email }), bed.attributes({ external_id: bob, email }));
  return { ada, bob, email };
};

const now = () => new Date(bed.now() / 1000).toISOString();

const entryBy = (kind: EntryKind, who: object, attribute: string): AcceptedRequest =>
  kind === 'attributes' ? bed.attributes({ ...who, [attribute]: true }) : bed[kind]({ ...who, time: now() });

describe.each(entryKinds)('an entry of %s by an email that several people share', (kind) => {
  it('waits for no unfinished request', async () => {
    const { ada, bob, email } = await sharers();
    const change = bed.attributes({ external_id: ada, seen: true });
    const timely = createApply(
      { store },
      {
        oldestBeside: async () => () => change.at,
        readEarlier: async () => ({ requests: [change], upTo: Number.POSITIVE_INFINITY }),
      },
    );
    const [outcome] = await timely([entryBy(kind, { email }, 'plan')]);
    expect(outcome?.entries).toEqual({ [kind]: ['updated'] });
    expect([await countOf(ada), await countOf(bob)]).toEqual([0, 1]);
  });

  it.each(entryKinds)('counts %s that were accepted later and applied before', async (later) => {
    const { ada, bob, email } = await sharers();
    bed.pass(1);
    const entry = entryBy(kind, { email }, 'plan');
    await inTurn(entryBy(later, { external_id: ada }, 'seen'), entry);
    expect([await countOf(ada), await countOf(bob)]).toEqual([2, 0]);
  });
});
