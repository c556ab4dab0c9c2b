import { emailKey } from '@roster/profile';
import { aProfile } from '@roster/testkit';
import { askedBy } from './asked.ts';
import { readListed } from './listed.ts';
import { prepared } from './operations.ts';
import { useTrack } from './testbed.ts';

const { store, ...bed } = useTrack();

/** So many with one email, the first of them changed last; every second one has an external id. */
const storeSharers = async (count: number): Promise<string> => {
  const email = `${bed.uniqueId()}@b.co`;
  await store.profiles.insertMany(
    Array.from({ length: count }, (_, index) => {
      const [id, more] = [`${email}:${index}`, { updated_at: count - index }];
      return aProfile(id, 1, { email, more, ...(index % 2 === 1 && { external_id: id }) });
    }),
  );
  return email;
};

const listed = (emails: readonly string[]) =>
  store.transact((session) =>
    readListed(store, session, askedBy([prepared(bed.events(...emails.map((email) => ({ email }))))])),
  );

describe('the people with one email', () => {
  it('are all listed', async () => {
    const emails = [await storeSharers(3), await storeSharers(800), `${bed.uniqueId()}@b.co`];
    expect((await listed(emails)).size).toBe(803);
  });

  it('are bounded when they are very many: the last changed of those with an external id; other emails are complete', async () => {
    const many = await storeSharers(6000);
    const few = await Promise.all(Array.from({ length: 20 }, () => storeSharers(2)));
    const found = [...(await listed([...few.slice(0, 7), many, ...few.slice(7)])).values()];
    const foremost = found.filter(({ email_key }) => email_key === emailKey(many));
    expect(foremost.map(({ _id }) => _id)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `${many}:${2 * index + 1}`),
    );
    expect(found).toHaveLength(1000 + 40);
    expect(foremost[0]).not.toHaveProperty('identified');
  });
});
