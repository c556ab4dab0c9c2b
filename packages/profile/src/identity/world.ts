/** The people of a batch, with the changes of its entries so far. */
import { createDrafts } from '../drafts.ts';
import type { ReadTime } from '../merge/choices.ts';
import type { Profile, Stamp } from '../profile.ts';
import { createActivity } from './activity.ts';
import { createChoice } from './choice.ts';
import { createClaims } from './claims.ts';
import { createConsents } from './consents.ts';
import { createContactHolders } from './contact-holders.ts';
import { createFinding } from './finding.ts';
import { type IdentityKnown, noIdentityNeeds } from './known.ts';
import { createProfiles } from './profiles.ts';
import { createRecords } from './records.ts';
import { createRemoved } from './removed.ts';

export const createWorld = (
  known: IdentityKnown,
  now: Stamp,
  mostBytesOf: (ws: string) => number,
  time: ReadTime,
) => {
  const needs = noIdentityNeeds();
  const drafts = createDrafts(known.profiles);
  const claims = createClaims(known.claims, now);
  const profiles = createProfiles(known, needs, drafts);
  const { activityOf, joinActivity } = createActivity(known, needs, drafts);
  const { changed, peopleWith, isOnlyOwner } = createContactHolders(known.holders, needs.holders, drafts);
  const choose = createChoice({ needs, activityOf, peopleWith, profiles });
  const { isMerged, shortened, ...removed } = createRemoved(known.merged, drafts);
  const { sweeps, ...records } = createRecords();
  const { consentWrites, ...consents } = createConsents(known.contacts, needs.contacts);

  return {
    needs,
    claims,
    now,
    mostBytesOf,
    time,
    person: profiles.person,
    hasWhole: profiles.hasWhole,
    find: createFinding(known, { claims, profiles, choose, isMerged }),
    isOnlyOwner,
    joinActivity,
    ...removed,
    ...records,
    ...consents,

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
