/** The people of a batch: as they were loaded, with what its entries so far have made of them. */
import type { ConsentChange } from '../consent/consent-history.ts';
import { createMoving } from '../consent/consent-moves.ts';
import type { ContactConsents } from '../consent/consent-states.ts';
import { contactKeysOf } from '../consent/contact-log.ts';
import { createContacts } from '../consent/contacts.ts';
import { createActivity } from '../find/activity.ts';
import { currentContactKeysOf } from '../find/holders.ts';
import { createProfiles } from '../find/profiles.ts';
import { createDrafts } from '../fold/drafts.ts';
import type { LeftBehind } from '../merge/left-behind.ts';
import type { ReadTime } from '../merge/values.ts';
import type { Profile, Stamp } from '../profile.ts';
import { createChoice } from './choice.ts';
import { createClaims } from './claims.ts';
import { createContactHolders } from './contact-holders.ts';
import { createFinding } from './finding.ts';
import { type IdentityKnown, noIdentityNeeds } from './known.ts';
import { createRemoved } from './removed.ts';

/** Rows to remove because they belong to no person any more. */
export interface Sweep {
  ws: string;
  /** Service ids under which events and purchases were stored. */
  profiles: string[];
  /** Identity keys that only this person had. */
  keys: string[];
  /** Identity keys of the emails and phones that the person had before. */
  former: string[];
  /** Later statements about these contacts belong to other people. */
  at: Stamp;
  /** Requests up to this stamp are about this person; without it, all requests up to now. */
  until?: Stamp;
  /** All changes of their consent; empty when nothing has to be proved. */
  history: readonly ConsentChange[];
}

/** Statements of consent about the contacts of a batch. */
const createConsents = (known: IdentityKnown['contacts'], needs: Set<string>) => {
  const contacts = createContacts(known, needs);

  return {
    /** The person changes their email or phone: the result is the same in whichever order requests come. */
    settled: createMoving(contacts),
    eraseContact: contacts.erase,
    consentWrites: contacts.writes,

    /** Statements about the contacts that people have or had; `undefined` when they are not loaded yet. */
    contactsOf(...people: Profile[]): ContactConsents | undefined {
      const needed = needs.size;
      for (const key of people.flatMap(contactKeysOf)) contacts.get(key);
      return needs.size > needed ? undefined : contacts;
    },

    /** A person is merged away: their contacts may have no owner now. */
    leaveContacts(profile: Profile): void {
      for (const key of currentContactKeysOf(profile)) contacts.leave(profile.ws, key);
    },
  };
};

export const createWorld = (
  known: IdentityKnown,
  now: Stamp,
  mostBytesOf: (ws: string) => number,
  time: ReadTime,
) => {
  const needs = noIdentityNeeds();
  const drafts = createDrafts(known.profiles);
  const claims = createClaims(known.claims, now);
  const profiles = createProfiles(known, needs.profiles, drafts);
  const { activityOf, joinActivity } = createActivity(known.activity, needs.activity, drafts);
  const { changed, peopleWith, isOnlyOwner } = createContactHolders(known.holders, needs.holders, drafts);
  const choose = createChoice({ needs, activityOf, peopleWith, profiles });
  const { isMerged, shortened, ...removed } = createRemoved(known.merged, drafts);
  const sweeps: Sweep[] = [];
  const lost: LeftBehind[] = [];
  const { consentWrites, ...consents } = createConsents(known.contacts, needs.contacts);

  return {
    needs,
    claims,
    mostBytesOf,
    time,
    person: profiles.person,
    find: createFinding(known, { claims, profiles, choose, isMerged }),
    isOnlyOwner,
    joinActivity,
    ...removed,
    ...consents,

    /** Whether the profile is loaded with attributes and lists. If the requests have room for it, the batch needs it. */
    hasWhole(id: string): boolean | 'no_room' {
      if (known.whole.has(id) || drafts.isNew(id)) return true;
      if (known.unloaded.has(id)) return 'no_room';
      needs.whole.add(id);
      return false;
    },

    sweep(sweep: Sweep): void {
      sweeps.push(sweep);
    },

    /** Values that an entry leaves behind. */
    leave(all: readonly LeftBehind[]): void {
      for (const one of all) lost.push(one);
    },

    /** Values that were left behind since the last call. */
    takeLost: (): LeftBehind[] => lost.splice(0),

    put(profile: Profile): void {
      drafts.put(profile);
      changed(profile);
    },

    create(profile: Profile): void {
      drafts.create(profile);
      changed(profile);
    },

    writes: () => ({
      ...drafts.writes(),
      claims: claims.writes(),
      tombstones: claims.tombstones().map(shortened),
      sweeps,
      contacts: consentWrites(),
    }),
  };
};

export type World = ReturnType<typeof createWorld>;
