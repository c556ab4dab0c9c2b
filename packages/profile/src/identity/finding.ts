/** Finds the person that an entry names. */
import { fateAt } from '../find/fate.ts';
import { identityKey } from '../find/identifier.ts';
import type { Profiles } from '../find/profiles.ts';
import type { Origin } from '../plan/item.ts';
import { type Choose, type FoundPerson, notFound } from './choice.ts';
import type { Claims } from './claims.ts';
import { fatesBefore, type IdentityKnown } from './known.ts';
import type { Removed } from './removed.ts';
import type { NamedPerson } from './request.ts';

interface Sources {
  claims: Claims;
  profiles: Profiles;
  choose: Choose;
  isMerged: Removed['isMerged'];
}

const merged: FoundPerson = { reason: 'merged' };
const noRoom: FoundPerson = { reason: 'too_much_to_load' };

export const createFinding = (known: IdentityKnown, { claims, profiles, choose, isMerged }: Sources) => {
  const { isLoaded, isUnloaded, person } = profiles;

  /**
   * A late request must not find a person who got the identifier after it, and must not bring back a deleted person. It does not
   * follow a merge either: after the merge the identifier had no owner. A claim that moved with its owner leads to that owner the whole time.
   */
  const byClaim = (origin: Origin, key: string): FoundPerson => {
    const owner = claims.ownerOf(key);
    const isYounger = owner !== undefined && claims.givenAt(key) > origin.at;
    const fates = fatesBefore(known.fates.get(key) ?? [], known.claims.get(key));
    const fate = owner === undefined || isYounger ? fateAt(fates, origin.at) : undefined;
    if (fate) return fate.to === undefined ? { reason: 'deleted' } : notFound;
    if (owner === undefined) return notFound;
    return person(owner) || isUnloaded(owner) ? { id: owner } : 'unknown';
  };

  const byServiceId = (origin: Origin, id: string): FoundPerson => {
    const found = person(id);
    if (isUnloaded(id)) return noRoom;
    if (!isLoaded(id)) return 'unknown';
    if (found?.ws === origin.ws) return { id };
    return isMerged(origin, id) ? merged : notFound;
  };

  const findBy = (origin: Origin, named: NamedPerson): FoundPerson => {
    const { who } = named;
    if (who.by === 'service_id') return byServiceId(origin, who.id);
    const key = identityKey(origin.ws, who);
    return who.by === 'email' || who.by === 'phone' ? choose(origin, key, named) : byClaim(origin, key);
  };

  return (origin: Origin, named: NamedPerson): FoundPerson => {
    const found = findBy(origin, named);
    return typeof found === 'object' && 'id' in found && isUnloaded(found.id) ? noRoom : found;
  };
};
