/** Finds the people of an export in the order in which they were asked for. */
import { type ExportRequest, normalizePhone } from '@roster/contract';
import { emailKey, identityKey } from '@roster/profile';
import { type Breath, eachOf, type Moment, type Store } from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';
import { type ExportPerson, unpacked } from './person.ts';

/** One identifier of the request, and the people that it matches. */
export interface FoundPeople {
  asked: string;
  people: ExportPerson[];
}

export interface PeopleLook {
  ws: string;
  body: ExportRequest;
  projection: Record<string, 1>;
  moment: Moment;
  breath: Breath;
  room: AnswerRoom;
}

interface NamedKey {
  asked: string;
  key: string;
}

const namesIn = (ws: string, { external_ids = [], user_aliases = [] }: ExportRequest): NamedKey[] => [
  ...external_ids.map((id) => ({ asked: id, key: identityKey(ws, { by: 'external_id', id }) })),
  ...user_aliases.map(({ alias_label, alias_name }) => ({
    asked: alias_name,
    key: identityKey(ws, { by: 'user_alias', label: alias_label, name: alias_name }),
  })),
];

interface WantedPerson {
  asked: string;
  /** `undefined`: no person can have it. */
  filter: object | undefined;
}

const byPhone = (ws: string, phone: string): object | undefined => {
  const phone_key = normalizePhone(phone);
  return phone_key === undefined ? undefined : { ws, phone_key };
};

/** The one identifier that may stand for several people. */
const otherIn = (ws: string, body: ExportRequest): WantedPerson | undefined => {
  const { device_id, service_id, email_address, phone } = body;
  if (device_id !== undefined) return { asked: device_id, filter: { ws, device_keys: device_id } };
  // A person who was merged into another one is listed there for ever; a tombstone would only last for a while.
  if (service_id !== undefined) {
    const either = [
      { _id: service_id, ws },
      { ws, absorbed: service_id },
    ];
    return { asked: service_id, filter: { $or: either } };
  }
  if (email_address !== undefined)
    return { asked: email_address, filter: { ws, email_key: emailKey(email_address) } };
  return phone === undefined ? undefined : { asked: phone, filter: byPhone(ws, phone) };
};

/** The service ids of the people who have these names, by identity key. */
const ownersOf = async (
  identities: Store['identities'],
  names: readonly NamedKey[],
  { moment, breath }: PeopleLook,
): Promise<Map<string, string>> => {
  const filter = { _id: { $in: names.map(({ key }) => key) } };
  const cursor = identities.find(filter, { ...moment, projection: { profile: 1 } });
  return new Map(await eachOf(cursor, breath, ({ _id, profile }) => [_id, profile] as const));
};

export const createPeople = ({ identities, profiles }: Pick<Store, 'identities' | 'profiles'>) => {
  const read = async (filter: object, look: PeopleLook): Promise<ExportPerson[]> => {
    const options = { ...look.moment, projection: look.projection, sort: { _id: 1 }, raw: true } as const;
    const people: ExportPerson[] = [];
    for await (const bytes of profiles.find<Buffer>(filter, options)) {
      look.room.takePerson(bytes.length);
      people.push(await unpacked(bytes, look.breath));
      await look.breath();
    }
    return people;
  };

  const byNames = async (look: PeopleLook): Promise<FoundPeople[]> => {
    const names = namesIn(look.ws, look.body);
    if (names.length === 0) return [];
    const ownerOf = await ownersOf(identities, names, look);
    const found = await read({ _id: { $in: [...new Set(ownerOf.values())] } }, look);
    const personOf = new Map(found.map((person) => [person.profile._id, person]));
    return names.map(({ asked, key }) => {
      const person = personOf.get(ownerOf.get(key) ?? '');
      return { asked, people: person ? [person] : [] };
    });
  };

  const byOther = async (look: PeopleLook): Promise<FoundPeople[]> => {
    const wanted = otherIn(look.ws, look.body);
    if (!wanted) return [];
    const { asked, filter } = wanted;
    return [{ asked, people: filter ? await read(filter, look) : [] }];
  };

  return async (look: PeopleLook): Promise<FoundPeople[]> => [
    ...(await byNames(look)),
    ...(await byOther(look)),
  ];
};
