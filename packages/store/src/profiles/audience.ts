/** The people of an audience, as they are now: in pages, so that a million people take the memory of one page. */
import {
  type Candidate,
  type Matching,
  type PreparedFilter,
  type ProfilePart,
  readAll,
  testInSlices,
} from '@roster/audience';
import { contactKeysOf, type Profile, statesOf, type Value } from '@roster/profile';
import { type Collection, documentIn } from '../connection/db.ts';
import type { ContactConsentsStore } from '../consent/contacts.ts';
import { consentMembers } from '../consent/leavers.ts';
import type { ProfileDocument } from '../models/people.ts';

/** The people of a page; fewer if they are large. */
const most = { people: 1000, bytes: 4 * 1024 * 1024 };

/** This many people tell the size of the next ones: service ids are random. */
const sampled = 16;

/** Only the named attributes: a profile may have thousands of them, of a megabyte together. */
const attributesOf = (parts: readonly ProfilePart[]): object => ({
  $map: {
    input: {
      $filter: {
        input: '$custom',
        cond: { $in: ['$$this.k', { $literal: parts.map((part) => part.slice('attribute:'.length)) }] },
      },
    },
    in: { k: '$$this.k', v: '$$this.v' },
  },
});

const projectionOf = (parts: ReadonlySet<ProfilePart>): object => {
  const named = [...parts].filter((part) => part.startsWith('attribute:'));
  return {
    _id: 1,
    ...(parts.has('consents') && consentMembers),
    ...(parts.has('apps') && { 'lists.apps.items.v.last_used': 1 }),
    ...(named.length > 0 && { custom: attributesOf(named) }),
  };
};

const lastUsedIn = ({ lists }: Profile): number | undefined => {
  const times = (lists?.apps?.items ?? []).map(({ v }) => Date.parse(String(v.last_used)));
  const known = times.filter((ms) => !Number.isNaN(ms));
  return known.length > 0 ? Math.max(...known) : undefined;
};

/** Members that were not read are missing. */
const candidateOf = (
  profile: Profile,
  contacts: ReadonlyMap<string, readonly Profile['consents'][number][]>,
): Candidate => {
  const states = profile.consents ? statesOf(profile, contacts) : [];
  const stateOf = (name: string) => states.find(({ k }) => k === name)?.v ?? undefined;
  return {
    attributes: new Map<string, Value>((profile.custom ?? []).map(({ k, v }) => [k, v])),
    email: stateOf('email'),
    push: stateOf('push'),
    lastUsed: lastUsedIn(profile),
  };
};

export interface PeopleQuestion {
  ws: string;
  /** The people that belong to each of them. */
  audiences: readonly unknown[];
  now?: number;
}

export interface AudienceQuestion extends PeopleQuestion {
  /** Only people after this service id: the walk continues there. */
  after?: string;
}

/** One look at the next people. */
export interface AudienceLook extends AudienceQuestion {
  /** Only these people. */
  among?: readonly string[];
  /** The number of people to look at. */
  people: number;
  /** The number of people to find at most. */
  most: number;
}

export interface AudiencePage {
  ids: string[];
  /** The number of people that were read. */
  read: number;
  /** Work of patterns: steps multiplied by characters. */
  visits: number;
  /** The next page begins after this one. */
  last: string;
  isLast: boolean;
}

interface AudienceOptions {
  profiles: Collection<ProfileDocument>;
  contactConsents: ContactConsentsStore;
  matching: Matching;
}

/** The people of those read that belong to the audience. Some are undecided if patterns take too much work. */
const createChoose = ({ contactConsents, matching }: Omit<AudienceOptions, 'profiles'>) => {
  const tested = async (
    prepared: PreparedFilter,
    audiences: readonly unknown[],
    people: readonly Candidate[],
    now: number,
  ): Promise<{ holds: boolean[]; visits: number }> =>
    prepared.patterns.length > 0
      ? matching.test({ audiences, people, now })
      : { holds: await testInSlices(prepared, people, now), visits: 0 };

  return async (
    prepared: PreparedFilter,
    audiences: readonly unknown[],
    people: readonly Profile[],
    now: number,
  ) => {
    const keys = prepared.parts.has('consents') ? people.flatMap(contactKeysOf) : [];
    const contacts = await contactConsents.read(keys);
    const candidates = people.map((one) => candidateOf(one, contacts));
    const { holds, visits } = await tested(prepared, audiences, candidates, now);
    const known = people.slice(0, holds.length);
    return { known, ids: known.filter((_, place) => holds[place]).map(({ _id }) => _id), visits };
  };
};

/** The last of so many; undefined where there are fewer. */
const endOf = (ids: readonly string[], people: number): string | undefined =>
  ids.length > people ? ids[people - 1] : undefined;

/** By service id, and none of the people of other workspaces. */
const hint = 'by_workspace';

const createLook = ({ profiles, ...options }: AudienceOptions) => {
  const choose = createChoose(options);

  /** The last of so many people, from the index alone; undefined where there are fewer. */
  const lastOf = async (ws: string, after: string, people: number): Promise<string | undefined> => {
    const found = await profiles.findOne(
      { ws, _id: { $gt: after } },
      { projection: { _id: 1 }, sort: { _id: 1 }, skip: people - 1, hint },
    );
    return found?._id;
  };

  /** The people that may belong to the audience. `isCut`: there may be more. */
  const read = async (filter: object, projection: object, limit: number) => {
    const cursor = profiles.find<Buffer>(filter, {
      projection,
      sort: { _id: 1 },
      hint,
      limit,
      raw: true,
    });
    const people: Profile[] = [];
    let bytes = 0;
    for await (const document of cursor) {
      people.push(documentIn<Profile>(document));
      bytes += document.length;
      if (bytes >= most.bytes) return { people, isCut: true };
    }
    return { people, isCut: people.length === limit };
  };

  /** Looks at the next people, by service id. A page may be empty and not be the last one. */
  return async (question: AudienceLook): Promise<AudiencePage> => {
    const { ws, audiences, after = '', among, people: window, most: wanted, now = Date.now() } = question;
    const prepared = readAll(audiences);
    const { filter, isExact } = prepared.find(now);
    const some = among?.filter((id) => id > after).toSorted();
    const end = some ? endOf(some, window) : await lastOf(ws, after, window);
    const _id = { $gt: after, ...(end !== undefined && { $lte: end }), ...(some && { $in: some }) };
    const projection = isExact ? { _id: 1 } : projectionOf(prepared.parts);
    const limit = isExact ? wanted : window;
    const { people, isCut } = await read({ $and: [{ ws, _id }, filter] }, projection, limit);
    const { known, ids, visits } = isExact
      ? { known: people, ids: people.map((one) => one._id), visits: 0 }
      : await choose(prepared, audiences, people, now);
    const page = { ids: ids.slice(0, wanted), read: known.length, visits };
    if (ids.length >= wanted) return { ...page, last: ids[wanted - 1] ?? after, isLast: false };
    if (isCut || known.length < people.length)
      return { ...page, last: known.at(-1)?._id ?? after, isLast: false };
    return { ...page, last: end ?? after, isLast: end === undefined };
  };
};

export const createAudiences = (options: AudienceOptions) => {
  const { profiles, matching } = options;
  const look = createLook(options);

  async function* pages(question: AudienceQuestion): AsyncGenerator<AudiencePage> {
    const now = question.now ?? Date.now();
    for (let { after } = question; ; ) {
      const page = await look({
        ...question,
        ...(after !== undefined && { after }),
        now,
        people: most.people,
        most: most.people,
      });
      yield page;
      if (page.isLast) return;
      after = page.last;
    }
  }

  return {
    look,
    pages,

    /** Throws an AudienceFault if the audience can't be accepted. */
    check: matching.check,

    /** Bytes of one of the next people, on average. */
    async bytesOf({ ws, after = '', among }: Pick<AudienceLook, 'ws' | 'after' | 'among'>): Promise<number> {
      const [found] = await profiles
        .aggregate<{ bytes: number }>(
          [
            { $match: { ws, _id: { $gt: after, ...(among && { $in: [...among] }) } } },
            { $sort: { _id: 1 } },
            { $limit: sampled },
            { $group: { _id: null, bytes: { $avg: { $bsonSize: '$$ROOT' } } } },
          ],
          { hint },
        )
        .toArray();
      return found?.bytes ?? 0;
    },

    /** `onLooked` is called with the number of people read so far. */
    async count(question: PeopleQuestion, onLooked?: (people: number) => void): Promise<number> {
      const { ws, audiences, now = Date.now() } = question;
      const { filter, isExact } = readAll(audiences).find(now);
      if (isExact) return profiles.countDocuments({ $and: [{ ws }, filter] });
      let [count, looked] = [0, 0];
      for await (const page of pages({ ...question, now })) {
        count += page.ids.length;
        looked += page.read;
        onLooked?.(looked);
      }
      return count;
    },
  };
};
