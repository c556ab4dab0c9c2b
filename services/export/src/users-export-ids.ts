/** api.md: POST /users/export/ids. */
import { type AcceptedRequest, type ExportRequest, present } from '@roster/contract';
import {
  type Consent,
  contactKeysOf,
  type ExportNeed,
  type OccurrenceSummary,
  type Profile,
  type Seen,
  statesOf,
} from '@roster/profile';
import type { Reply } from '@roster/queue';
import { type Breath, createBreath, type Moment, type Store } from '@roster/store';
import { type AnswerRoom, createAnswerRoom } from './answer-room.ts';
import { type View, viewOf } from './fields.ts';
import type { ExportTools } from './handler.ts';
import { type ByText, createOccurrences } from './occurrences.ts';
import { createPeople } from './people.ts';
import type { ExportPerson } from './person.ts';
import { createText } from './text.ts';
import { writeUser } from './write-user.ts';

/** Shorter than anybody waits for an answer. */
const maxTimeMS = 8000;

/** What was needed besides the profiles, by service id. */
interface Besides {
  consents?: ByText<Consent[]>;
  events?: ByText<OccurrenceSummary[]>;
  purchases?: ByText<OccurrenceSummary[]>;
  revenue?: ByText<string>;
}

interface ExportedPeople extends Besides {
  people: ExportPerson[];
  unknown: string[];
}

const once = (people: readonly ExportPerson[]): ExportPerson[] => [
  ...new Map(people.map((person) => [person.profile._id, person])).values(),
];

/** What counts as people's consent: what was said of them, and of the contacts that they have and had. By service id. */
const readConsents = async (
  { contactConsents }: Pick<Store, 'contactConsents'>,
  people: readonly Profile[],
  { moment, breath }: { moment: Moment; breath: Breath },
): Promise<ReadonlyMap<string, Consent[]>> => {
  const contacts = await contactConsents.read(people.flatMap(contactKeysOf), moment);
  const all = new Map<string, Consent[]>();
  for (const one of people) {
    all.set(one._id, statesOf(one, contacts));
    await breath();
  }
  return all;
};

/** All at once: the snapshot was fixed when the people were found. */
const readBesides = async (
  store: Store,
  profiles: readonly Profile[],
  needs: ReadonlySet<ExportNeed>,
  { at, ...how }: { at: number; moment: Moment; breath: Breath; room: AnswerRoom },
): Promise<Besides> => {
  const occurrences = createOccurrences(store, how);
  const read = <Value>(need: ExportNeed, work: () => Promise<ByText<Value>>): Promise<ByText<Value>> =>
    needs.has(need) && profiles.length > 0 ? work() : Promise.resolve(new Map());
  const [consents, events, purchases, revenue] = await Promise.all([
    read('said', () => readConsents(store, profiles, how)),
    read('events', () => occurrences.summaries('events', profiles, at)),
    read('purchases', () => occurrences.summaries('purchases', profiles, at)),
    read('revenue', () => occurrences.revenues(profiles)),
  ]);
  return { consents, events, purchases, revenue };
};

const readAll = (
  store: Store,
  { ws, at }: AcceptedRequest,
  body: ExportRequest,
  { projection, needs }: View,
  { breath, room }: { breath: Breath; room: AnswerRoom },
): Promise<ExportedPeople> =>
  store.snapshot({ maxTimeMS }, async (moment) => {
    const found = await createPeople(store)({ ws, body, projection, moment, breath, room });
    const people = once(found.flatMap((one) => one.people));
    const unknown = found.filter((one) => one.people.length === 0).map(({ asked }) => asked);
    const profiles = people.map(({ profile }) => profile);
    const besides = await readBesides(store, profiles, needs, { at, moment, breath, room });
    return { people, unknown: [...new Set(unknown)], ...besides };
  });

const seenOf = (profile: Profile, { consents, events, purchases, revenue }: Besides): Seen => {
  const { _id } = profile;
  return {
    profile,
    ...present({ consents: consents?.get(_id), events: events?.get(_id) }),
    ...present({ purchases: purchases?.get(_id), revenue: revenue?.get(_id) }),
  };
};

const write = async ({ people, unknown, ...besides }: ExportedPeople, { show }: View, breath: Breath) => {
  const text = createText();
  text.add('{"message":"success","users":[');
  for (const [place, person] of people.entries()) {
    if (place > 0) text.add(',');
    await writeUser(text, person, show(seenOf(person.profile, besides)), breath);
  }
  text.add(unknown.length > 0 ? `],"invalid_user_ids":${JSON.stringify(unknown)}}` : ']}');
  return text.finish();
};

export const usersExportIds = async (
  request: AcceptedRequest,
  { store, loaded }: Pick<ExportTools, 'store' | 'loaded'>,
): Promise<Reply> => {
  const body = request.body as ExportRequest;
  const view = viewOf(body.fields_to_export);
  const breath = createBreath();
  const room = createAnswerRoom();
  const read = await readAll(store, request, body, view, { breath, room }).finally(() =>
    loaded(request.ws, room.loaded()),
  );
  return { status: 201, ...(await write(read, view, breath)) };
};
