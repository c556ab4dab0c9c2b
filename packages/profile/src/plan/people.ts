/** The people of a batch: as they were loaded, with what its entries so far have made of them. */

import { createMoving } from '../consent/consent-moves.ts';
import { createContacts } from '../consent/contacts.ts';
import { knownOrNeeded } from '../find/known.ts';
import { createProfiles } from '../find/profiles.ts';
import { serviceIdOf } from '../find/service-id.ts';
import { createDrafts } from '../fold/drafts.ts';
import type { Fold } from '../fold/fold.ts';
import type { ReadTime } from '../merge/values.ts';
import { newProfile, type Profile, type Stamp } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import { createChanging } from './changing.ts';
import { createClaims } from './claims.ts';
import { createFinding } from './finding.ts';
import type { AnyItem, EntrySubject } from './item.ts';
import { noNeeds, type PlanKnown } from './known.ts';
import { createRooms, type MostBytesOf } from './rooms.ts';

/** Email and phone of a new person are fields like any other. */
const ownField = (subject: EntrySubject): ProfileChange[] => {
  if (subject.by === 'email') return [{ kind: 'field', name: 'email', value: subject.email }];
  if (subject.by === 'phone') return [{ kind: 'field', name: 'phone', value: subject.phone }];
  return [];
};

const named = (profile: Profile, subject: EntrySubject): Profile => {
  if (subject.by === 'external_id') return { ...profile, external_id: subject.id };
  if (subject.by === 'user_alias') {
    return { ...profile, aliases: [{ label: subject.label, name: subject.name }] };
  }
  return profile;
};

/** Without `time`: statements of consent have no dates. */
export const createPeople = (
  known: PlanKnown,
  fold: Fold,
  mostBytesOf?: MostBytesOf,
  time: ReadTime = () => undefined,
) => {
  const needs = noNeeds();
  const drafts = createDrafts(known.profiles);
  const contacts = createContacts(known.contacts, needs.contacts);
  const settled = createMoving(contacts);
  const { claim, writes: claimWrites, ...claims } = createClaims(known.claims);
  const { reindex, ...finding } = createFinding(known, needs, drafts);
  const { person, isAbsent, isUnloaded } = createProfiles(known, needs.profiles, drafts);
  const rooms = createRooms(known.bytes, mostBytesOf);
  const changing = createChanging({ drafts, reindex, rooms, settled, fold, time });

  return {
    needs,
    contacts,
    ...claims,
    ...finding,
    ...changing,

    create(item: AnyItem): string {
      const { identifier, origin, position } = item;
      const { id, ws, at } = origin;
      const profile = named(newProfile(serviceIdOf(at, position, id), ws, at), identifier);
      claim(item, profile._id);
      drafts.create(profile);
      changing.change(profile, ownField(identifier), item);
      return profile._id;
    },

    isAbsent,
    isUnloaded,

    /** The person with the changes so far. */
    current(id: string): Profile | undefined {
      if (isAbsent(id)) throw new Error(`an identity leads to profile ${id}, which does not exist`);
      return person(id);
    },

    /** Whether the last person who had an email or phone was deleted after this stamp. */
    isErased(key: string, at: Stamp): boolean {
      const fates = knownOrNeeded(known.fates, needs.fates, key) ?? [];
      return fates.some((fate) => fate.to === undefined && at <= fate.at);
    },

    writes() {
      const { created, changed } = drafts.writes();
      return { created, changed, ...claimWrites(), contacts: contacts.writes() };
    },
  };
};

export type People = ReturnType<typeof createPeople>;
