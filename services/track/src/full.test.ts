import type { AttributeEntry } from '@roster/contract';
import { fold, mostNotes, mostProfileBytes, type Profile } from '@roster/profile';
import { isTooLarge } from '@roster/store';
import { createApply } from './apply.ts';
import { defaultSettings } from './settings.ts';
import { useTrack } from './testbed.ts';

const { store, apply, track, ...bed } = useTrack({
  settingsOf: () => ({ ...defaultSettings, mostProfileBytes }),
});

/** Nearly the bound of a nested attribute: few bytes of JSON, five times as many in the database. */
const large = () => ({ numbers: Array.from({ length: 50_000 }, () => 1) });

/** A person whose profile takes so many bytes, stored without the service. */
const somebodyOf = async (megabytes: number): Promise<string> => {
  const person = bed.uniqueId();
  await track({ external_id: person, colour: 'red' });
  const { _id } = await bed.storedOf(person);
  const custom = Array.from({ length: megabytes }, (_, index) => ({
    k: `fat-${index}`,
    v: 'x'.repeat(1024 * 1024),
    at: 1,
  }));
  await store.profiles.updateOne({ _id }, { $push: { custom: { $each: custom } } } as never);
  return person;
};

/** Too long to be shown when it differs. */
const textOf = async (person: string): Promise<string> => JSON.stringify(await bed.storedOf(person));

const namesOf = ({ custom }: Profile) => custom.map(({ k }) => k);

const applied = async (...entries: AttributeEntry[]) => {
  const [outcome] = await apply([bed.attributes(...entries)]);
  return { results: outcome?.entries?.attributes, notes: outcome?.notes };
};

describe('a profile that is nearly as large as the database takes', () => {
  it('takes nothing more that could grow without end, with a note; the others get theirs', async () => {
    const [full, other] = [await somebodyOf(12), bed.uniqueId()];
    const before = await textOf(full);
    const { results, notes } = await applied(
      { external_id: other, colour: 'blue' },
      { external_id: full, more: large() },
      { external_id: full, push_tokens: [{ app_id: 'web', token: 't'.repeat(4000) }] },
      { external_id: other, size: 'L' },
    );
    expect(results).toEqual(['created', 'ignored:profile_full', 'ignored:profile_full', 'updated']);
    expect(notes).toBeUndefined();
    expect((await textOf(full)) === before).toBe(true);
    expect((await bed.profileOf(other)).custom_attributes).toEqual({ colour: 'blue', size: 'L' });
  });

  it('still takes consent, fields, replacements and removals, and names the refused parts', async () => {
    const full = await somebodyOf(12);
    const { results, notes } = await applied(
      {
        external_id: full,
        first_name: 'Ada',
        email: `${full}@b.co`,
        email_subscribe: 'unsubscribed',
        more: 1,
      },
      { external_id: full, colour: 'sky' },
      { external_id: full, colour: 'blue', 'fat-1': null },
      { external_id: full, more: 2 },
    );
    expect(results).toEqual(['updated', 'updated', 'updated', 'updated']);
    expect(notes).toMatchObject([
      { index: 0, field: 'more', reason: 'profile_full' },
      { index: 2, field: 'colour', reason: 'profile_full' },
    ]);
    const { fields, custom_attributes } = await bed.profileOf(full);
    expect(fields.first_name?.v).toBe('Ada');
    expect(await bed.consentsOf(full)).toEqual({ email: 'unsubscribed' });
    const { colour, more, 'fat-1': fat } = custom_attributes;
    expect([colour, more, fat]).toEqual(['sky', 2, undefined]);
  });

  it('has room until then', async () => {
    const person = await somebodyOf(11);
    expect(
      await applied({ external_id: person, more: large() }, { external_id: person, most: large() }),
    ).toEqual({ results: ['updated', 'ignored:profile_full'], notes: undefined });
    expect(namesOf(await bed.storedOf(person))).toContain('more');
  });
});

it('without counting, the profile takes its whole batch down: the tests would notice', async () => {
  const [full, other] = [await somebodyOf(15), bed.uniqueId()];
  const careless = createApply({ store, fold: (profile, changes, at, n) => fold(profile, changes, at, n) });
  const sent = [
    bed.attributes({ external_id: full, a: large(), b: large(), c: large() }),
    bed.attributes({ external_id: other, colour: 'blue' }),
  ];
  expect(isTooLarge(await careless(sent).catch((error: unknown) => error))).toBe(true);
  expect((await apply(sent)).map((outcome) => outcome?.entries.attributes)).toEqual([
    ['ignored:profile_full'],
    ['created'],
  ]);
});

describe('a person who would grow too large in one batch', () => {
  it.each(['new', 'small'])('and is %s gets the changes that have room', async (kind) => {
    const [person, other] = [bed.uniqueId(), bed.uniqueId()];
    if (kind === 'small') await track({ external_id: person, colour: 'red' });
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, large()]));
    const [first, second] = await apply([
      bed.attributes({ external_id: person, ...many }),
      bed.attributes({ external_id: other, colour: 'blue' }),
    ]);
    expect(first?.entries?.attributes).toEqual([kind === 'new' ? 'created' : 'updated']);
    const names = first?.notes?.map(({ field, reason }) => `${field} ${reason}`);
    expect(names).toContain('a32 profile_full');
    expect(names).not.toContain('a0 profile_full');
    expect(second?.entries?.attributes).toEqual(['created']);
    const stored = namesOf(await bed.storedOf(person)).filter((name) => name !== 'colour');
    expect(stored.length + (names?.length ?? 0)).toBe(33);
    expect(stored.length).toBeGreaterThan(15);
  });
});

it('a request has a bounded number of notes, whatever one event holds', async () => {
  const odd = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`odd-${index}`, 1]));
  const [outcome] = await apply([bed.events({ external_id: bed.uniqueId(), ...odd })]);
  expect(outcome?.entries).toEqual({ events: ['created'] });
  expect(outcome?.notes).toHaveLength(mostNotes + 1);
});

it('a request has a bounded number of notes, and the number of the others', async () => {
  const person = bed.uniqueId();
  const languages = Array.from({ length: mostNotes + 500 }, () => ({
    external_id: person,
    language: 'Klingon',
  }));
  const sent = bed.attributes(...languages);
  const [outcome] = await apply([sent]);
  expect(outcome?.notes).toHaveLength(mostNotes + 1);
  expect(outcome?.notes?.at(-1)).toEqual({
    input_array: 'attributes',
    index: mostNotes,
    reason: 'more_notes',
    count: 500,
  });
  expect((await store.requests.findOne({ _id: sent.id }))?.notes).toEqual(outcome?.notes);
});
