import { entryKinds } from '@roster/profile';
import { useTrack } from './testbed.ts';

const { store, apply, inTurn, track, ...bed } = useTrack();

type Contact = { email: string } | { phone: string };

let phones = 0;
const contactBy = {
  email: (): Contact => ({ email: `${bed.uniqueId()}@example.com` }),
  phone: (): Contact => ({ phone: `+1500555${String(1000 + phones++)}` }),
};

const entryBy = {
  ...bed,
  attributes: (who: object) => bed.attributes({ ...who, plan: 'gold' }),
};

const cases = (['email', 'phone'] as const).flatMap((by) => entryKinds.map((kind) => [by, kind] as const));

const holdersOf = (contact: Contact) =>
  store.profiles.countDocuments(
    'email' in contact ? { email_key: contact.email } : { phone_key: contact.phone },
  );

describe.each(cases)('an entry by %s, of %s, that is applied late', (by, kind) => {
  it('does not touch a person who got the contact after it was accepted', async () => {
    const [ada, contact] = [bed.uniqueId(), contactBy[by]()];
    const late = entryBy[kind](contact);
    const outcome = await inTurn(bed.attributes({ external_id: ada, ...contact }), late);
    expect(outcome?.entries).toEqual({ [kind]: ['created'] });
    expect(await bed.countOf(ada)).toBe(0);
    expect(await holdersOf(contact)).toBe(2);
  });

  it('is ignored then if it may not create', async () => {
    const [ada, contact] = [bed.uniqueId(), contactBy[by]()];
    const late = entryBy[kind]({ ...contact, _update_existing_only: true });
    const outcome = await inTurn(bed.attributes({ external_id: ada, ...contact }), late);
    expect(outcome?.entries).toEqual({ [kind]: ['ignored:no_such_user'] });
    expect(await bed.countOf(ada)).toBe(0);
    expect(await holdersOf(contact)).toBe(1);
  });

  it('is about the person who had the contact when it was accepted, and has left it since', async () => {
    const [ada, bob, contact] = [bed.uniqueId(), bed.uniqueId(), contactBy[by]()];
    await track({ external_id: ada, ...contact });
    const late = entryBy[kind]({ ...contact, _update_existing_only: true });
    const outcome = await inTurn(
      bed.attributes({ external_id: ada, ...contactBy[by]() }),
      bed.attributes({ external_id: bob, ...contact }),
      late,
    );
    expect(outcome?.entries).toEqual({ [kind]: ['updated'] });
    expect([await bed.countOf(ada), await bed.countOf(bob)]).toEqual([1, 0]);
  });

  it('is about that person too when they have no contact any more', async () => {
    const [ada, contact] = [bed.uniqueId(), contactBy[by]()];
    await track({ external_id: ada, ...contact });
    const late = entryBy[kind](contact);
    await inTurn(bed.attributes({ external_id: ada, [by]: null }), late);
    expect(await bed.countOf(ada)).toBe(1);
    expect(await holdersOf(contact)).toBe(0);
  });

  it('chooses among the people who had the contact then', async () => {
    const [ada, bob, eve] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    const contact = contactBy[by]();
    await inTurn(
      bed.attributes({ external_id: ada, ...contact }),
      bed.attributes({ external_id: bob, ...contact }),
    );
    const late = entryBy[kind](contact);
    await inTurn(
      bed.attributes({ external_id: bob, [by]: null }),
      bed.attributes({ external_id: eve, ...contact }),
      late,
    );
    expect(await Promise.all([ada, bob, eve].map(bed.countOf))).toEqual([0, 1, 0]);
  });
});

it('an entry that is applied with later ones is about the same person as when it is applied before them', async () => {
  const [ada, contact] = [bed.uniqueId(), contactBy.email()];
  const [early, taking, leaving, afterwards] = [
    bed.attributes({ ...contact, plan: 'gold' }),
    bed.attributes({ external_id: ada, ...contact }),
    bed.attributes({ external_id: ada, email: null }),
    bed.attributes({ ...contact, plan: 'silver', n: { inc: 1 } }),
  ];
  await apply([taking, leaving]);
  await apply([early, afterwards]);
  const found = await store.profiles.find({ email_key: (contact as { email: string }).email }).toArray();
  expect(found.map(({ custom }) => custom.map(({ k, v }) => [k, v]))).toEqual([
    [
      ['plan', 'silver'],
      ['n', 1],
    ],
  ]);
  expect(await bed.countOf(ada)).toBe(0);
});

it('an entry by a contact that the person sent again later is about them', async () => {
  const [ada, email] = [bed.uniqueId(), `${bed.uniqueId()}@example.com`];
  await track({ external_id: ada, email });
  const late = bed.events({ email });
  await inTurn(bed.attributes({ external_id: ada, email: email.toUpperCase() }), late);
  expect(await bed.countOf(ada)).toBe(1);
});
