/** An entry about a person whose deletion is accepted and not applied yet waits for the deletion (docs/adr/order.md). */
import { claimedKeysOf } from '../find/claim.ts';
import { currentContactKeysOf } from '../find/holders.ts';
import { identityKey } from '../find/identifier.ts';
import type { Profile } from '../profile.ts';
import type { AnyItem, Origin } from './item.ts';
import type { People } from './people.ts';

/** Deletions that are accepted and not applied yet. */
export interface Deletions {
  /** Whether the request was accepted after one of them, and has not waited long enough. */
  mayConcern(origin: Origin): boolean;
  /** Whether an unfinished identity request names a person by this identity key. */
  isNamed(key: string, origin: Origin): boolean;
}

export const noDeletions: Deletions = { mayConcern: () => false, isNamed: () => false };

/** Emails and phones that the entry names or gives. */
export const contactsIn = ({ origin: { ws }, entry: { email, phone } }: AnyItem): string[] => [
  ...(email == null ? [] : [identityKey(ws, { by: 'email', email })]),
  ...(phone == null ? [] : [identityKey(ws, { by: 'phone', phone })]),
];

/** A deletion concerns a contact only if it deletes the last person who has it. */
const mostHolders = 4;

const keysOf = (profile: Profile): string[] => [
  ...claimedKeysOf(profile),
  ...currentContactKeysOf(profile),
  identityKey(profile.ws, { by: 'service_id', id: profile._id }),
];

/** Whether an entry about these people waits; `open` when more has to be known first. */
export type Awaits = (item: AnyItem, people: readonly string[]) => boolean | 'open';

export const awaitsNothing: Awaits = () => false;

/** A deletion may name a person by any identifier, so the batch needs the profile, which an event alone would not need. */
export const createAwaits =
  (people: People, deletions: Deletions): Awaits =>
  (item, about) => {
    if (!deletions.mayConcern(item.origin)) return false;
    const isNamed = (key: string): boolean => deletions.isNamed(key, item.origin);
    const contacts = contactsIn(item);
    if ([item.key, ...contacts].some(isNamed)) return true;
    const holders = contacts.map(people.holdersOf).filter(({ length }) => length <= mostHolders);
    const concerned = [...new Set([...about, ...holders.flat()])].filter((id) => !people.isUnloaded(id));
    const profiles = concerned.map(people.current);
    if (profiles.some((profile) => profile && keysOf(profile).some(isNamed))) return true;
    return profiles.includes(undefined) ? 'open' : false;
  };
