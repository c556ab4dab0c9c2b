/** The people of an audience, as they are now: in pages, so that a million of them take the memory of one page. */
import { type Prepared, prepareAll } from '@roster/audience';
import { contactKeysOf, type Profile } from '@roster/profile';
import { candidateOf, projectionOf } from './audience-candidate.ts';
import type { ContactConsentsStore } from './contacts.ts';
import type { Collection } from './db.ts';
import type { ProfileDocument } from './documents.ts';
import { documentIn } from './raw.ts';

/** A page: so many people, and of large ones fewer. */
const most = { people: 1000, bytes: 4 * 1024 * 1024 };

interface Walk {
  ws: string;
  /** Only people after this service id: the walk goes on there. */
  after?: string;
  /** Only these people. */
  among?: readonly string[];
  /** So many on a page. */
  most?: number;
  now?: number;
}

export interface AudienceQuestion extends Walk {
  /** Who belongs to each of them. */
  audiences: readonly unknown[];
}

export interface AudiencePage {
  ids: string[];
  /** So many were looked at to find them. */
  looked: number;
  /** The next page begins after this one. */
  last: string;
  isLast: boolean;
}

export const createAudiences = ({
  profiles,
  contactConsents,
}: {
  profiles: Collection<ProfileDocument>;
  contactConsents: ContactConsentsStore;
}) => {
  const chosen = async (people: Profile[], { test, parts }: Prepared, now: number): Promise<string[]> => {
    const keys = parts.has('consents') ? people.flatMap(contactKeysOf) : [];
    const contacts = await contactConsents.read(keys);
    return people.filter((one) => test(candidateOf(one, contacts), now)).map(({ _id }) => _id);
  };

  /** The next people who may belong to the audience. */
  const read = async (
    filter: object,
    projection: object,
    limit: number,
  ): Promise<{ people: Profile[]; isLast: boolean }> => {
    const cursor = profiles.find<Buffer>(filter, {
      projection,
      sort: { _id: 1 },
      limit,
      raw: true,
    });
    const people: Profile[] = [];
    let bytes = 0;
    for await (const document of cursor) {
      people.push(documentIn<Profile>(document));
      bytes += document.length;
      if (bytes >= most.bytes) return { people, isLast: false };
    }
    return { people, isLast: people.length < limit };
  };

  /** By service id. A page may be empty when none of the people it looked at belongs to the audience. */
  async function* walk(
    prepared: Prepared,
    { ws, after = '', among, most: limit = most.people, now = Date.now() }: Walk,
  ): AsyncGenerator<AudiencePage> {
    const { filter, isExact } = prepared.find(now);
    const projection = isExact ? { _id: 1 } : projectionOf(prepared.parts);
    for (let last = after; ; ) {
      const _id = { $gt: last, ...(among && { $in: [...among] }) };
      const { people, isLast } = await read({ $and: [{ ws, _id }, filter] }, projection, limit);
      last = people.at(-1)?._id ?? last;
      if (people.length > 0)
        yield {
          ids: isExact ? people.map(({ _id }) => _id) : await chosen(people, prepared, now),
          looked: people.length,
          last,
          isLast,
        };
      if (isLast) return;
    }
  }

  return {
    pages: ({ audiences, ...how }: AudienceQuestion): AsyncGenerator<AudiencePage> =>
      walk(prepareAll(audiences), how),

    /** `onLooked` is told how many were looked at so far. */
    async count(question: AudienceQuestion, onLooked?: (people: number) => void): Promise<number> {
      const { ws, audiences, now = Date.now() } = question;
      const prepared = prepareAll(audiences);
      const { filter, isExact } = prepared.find(now);
      if (isExact) return profiles.countDocuments({ $and: [{ ws }, filter] });
      let [count, looked] = [0, 0];
      for await (const page of walk(prepared, { ...question, now })) {
        count += page.ids.length;
        looked += page.looked;
        onLooked?.(looked);
      }
      return count;
    },
  };
};
