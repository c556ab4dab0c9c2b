/** The members of a profile that audiences compare. */
import type { Candidate, Part } from '@roster/audience';
import { type Profile, statesOf, type Value } from '@roster/profile';
import { consentMembers } from './consent-members.ts';

const isAttribute = (part: Part): boolean => part.startsWith('attribute:');

/** Only the named attributes: a profile may have thousands of them, of a megabyte together. */
const attributesOf = (parts: readonly Part[]): object => ({
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

export const projectionOf = (parts: ReadonlySet<Part>): object => {
  const named = [...parts].filter(isAttribute);
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
export const candidateOf = (
  profile: Profile,
  contacts: ReadonlyMap<string, readonly Profile['consents'][number][]>,
): Candidate => {
  let attributes: Map<string, Value> | undefined;
  const states = profile.consents ? statesOf(profile, contacts) : [];
  const stateOf = (name: string) => states.find(({ k }) => k === name)?.v ?? undefined;
  return {
    attribute(name) {
      attributes ??= new Map((profile.custom ?? []).map(({ k, v }) => [k, v]));
      return attributes.get(name);
    },
    email: stateOf('email'),
    push: stateOf('push'),
    lastUsed: lastUsedIn(profile),
  };
};
