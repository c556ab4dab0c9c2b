/** api.md: POST /users/export/ids. */
import type { AcceptedRequest, ExportRequest } from '@roster/contract';
import { type Profile, visible } from '@roster/profile';
import type { Reply } from '@roster/queue';
import type { Store } from '@roster/store';
import { type Breath, createBreath } from '@roster/store';
import { type AnswerRoom, createAnswerRoom } from './answer-room.ts';
import { type Seen, type View, viewOf } from './fields.ts';
import type { Tools } from './handler.ts';
import { createPeople } from './people.ts';
import type { Person } from './person.ts';
import { type Besides, once, readBesides } from './read-besides.ts';
import { createText } from './text.ts';
import { writeUser } from './write-user.ts';

/** Shorter than callers wait for an answer. */
const maxTimeMS = 8000;

interface Read extends Besides {
  people: Person[];
  unknown: string[];
}

const readAll = (
  store: Store,
  { ws, at }: AcceptedRequest,
  body: ExportRequest,
  { projection, needs }: View,
  { breath, room }: { breath: Breath; room: AnswerRoom },
): Promise<Read> =>
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
  const [did, bought, spent] = [events?.get(_id), purchases?.get(_id), revenue?.get(_id)];
  return {
    profile: visible(profile, consents?.get(_id)),
    ...(did && { events: did }),
    ...(bought && { purchases: bought }),
    ...(spent !== undefined && { revenue: spent }),
  };
};

const write = async (
  { people, unknown, ...besides }: Read,
  { show }: View,
  breath: Breath,
): Promise<Pick<Reply, 'body' | 'rest'>> => {
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
  { store, loaded }: Pick<Tools, 'store' | 'loaded'>,
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
