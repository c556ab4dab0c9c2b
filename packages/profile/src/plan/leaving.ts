/** Who leaves an address, and what was said of it: both reach each other, in whichever order they come. */
import { consentsToKeep, effectiveConsents, isDuring, type Said, sinceOf, withConsents } from '../consent.ts';
import type { createConsentRows } from '../consent-history-rows.ts';
import type { Consent, ConsentState, Profile, Stamp } from '../profile.ts';
import type { createAddresses } from './addresses.ts';
import type { Origin } from './item.ts';
import {
  type AddressName,
  addressKeysOf,
  addressOf,
  isAddress,
  type Known,
  type Leaver,
  type Needs,
} from './known.ts';

/** Another address, or the same one anew, after another one that came late. */
const isLeft = (before: Profile, after: Profile, name: AddressName): boolean =>
  addressOf(before, name) !== addressOf(after, name) || hadSince(before, name) < hadSince(after, name);

const hadSince = ({ fields }: Profile, name: AddressName): Stamp => sinceOf(fields[name]) ?? 0;

interface Leaving {
  known: Known;
  needs: Needs;
  addresses: ReturnType<typeof createAddresses>;
  history: ReturnType<typeof createConsentRows>;
}

export const createLeaving = ({ known, needs, addresses, history }: Leaving) => {
  /** Whoever leaves an address takes along what was said about it until then. */
  const settled = (before: Profile, after: Profile, { id: request, at }: Origin): Profile => {
    let profile = after;
    for (const name of ['email', 'phone'] as const) {
      const left = addressOf(before, name);
      if (left === undefined || !isLeft(before, after, name)) continue;
      const said = addresses.saidBefore(left, at);
      if (said.length > 0) profile = withConsents(profile, consentsToKeep(before, { [name]: said }));
      const { _id, ws } = before;
      addresses.leave(ws, left);
      history.leave({ request, ws, profile: _id, address: left, since: hadSince(before, name), until: at });
    }
    return profile;
  };

  /** Of all registers, as far as their addresses are known. */
  const consentsOf = (profile: Profile): Consent[] => {
    const [email, phone] = [addressOf(profile, 'email'), addressOf(profile, 'phone')];
    return effectiveConsents(profile, {
      ...(email !== undefined && { email: addresses.peek(email) }),
      ...(phone !== undefined && { phone: addresses.peek(phone) }),
    });
  };

  /** Where something else is said of their addresses than counts for them, its repetition will be a change. */
  const cross = (profile: Profile): void => {
    const counts = consentsOf(profile);
    for (const key of addressKeysOf(profile)) addresses.cross(profile.ws, key, counts);
  };

  /** Only where it can make a difference: few entries say something of consent or of addresses. */
  const crossIfChanged = (before: Profile, after: Profile): void => {
    const hasMoved = before.email_key !== after.email_key || before.phone_key !== after.phone_key;
    if (hasMoved || before.consents !== after.consents) cross(after);
  };

  return {
    cross,
    crossIfChanged,
    settled,

    /** What counts for them, by register, of all that are known. */
    countsOf: (profile: Profile): ReadonlyMap<string, ConsentState | null> =>
      new Map(consentsOf(profile).map(({ k, v }) => [k, v])),

    /** Those for whom a statement about an address is meant, though they have left it since. */
    leaversOf(key: string, said: Pick<Said, 'at' | 'orphan'>): readonly Leaver[] {
      const leavers = known.leftBy.get(key);
      if (!leavers) needs.leftBy.set(key, Math.min(needs.leftBy.get(key) ?? said.at, said.at));
      return (leavers ?? []).filter((stay) => isDuring(said, stay));
    },

    /** An address of this kind that somebody had at a stamp, and has left since. */
    leftAddressOf(id: string, name: AddressName, at: Stamp): string | undefined {
      const stays = known.stays.get(id);
      if (!stays) needs.stays.add(id);
      return stays?.find((stay) => isAddress(stay.address, name) && isDuring({ at }, stay))?.address;
    },
  };
};
