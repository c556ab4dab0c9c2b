/** Whose an entry is: found, created, or nobody's, with the reason. Requests from before a deletion or a merge are told apart here. */
import { decide } from '../decide.ts';
import { type Fate, fateAt } from '../fate.ts';
import { identityKey } from '../identifier.ts';
import type { Stamp } from '../profile.ts';
import { type Awaits, awaitsNothing } from './awaits.ts';
import type { Item, TrackEntry } from './item.ts';
import type { Claim, Known } from './known.ts';
import type { People } from './people.ts';

export type Whose =
  | { is: 'found'; id: string }
  /** Early: by an email, phone or token, which somebody may have who is still on the way. */
  | { is: 'created'; id: string; early?: true }
  /** Found by following a merge of `away`, who had the identifier; `part`: an `identify`, which takes over only a part. */
  | { is: 'followed'; id: string; away: string; part?: true }
  | { is: 'ignored'; reason: 'deleted' }
  /** There is nobody. A request that was accepted before and is still under way may change that. */
  | { is: 'ignored'; reason: 'no_such_user'; early: true }
  /** A deletion of the person was accepted before, and is not applied yet. */
  | { is: 'ignored'; reason: 'deletion_pending'; waits: true }
  /** Something has to be loaded first. */
  | { is: 'open' };

type AnyItem = Item<TrackEntry>;

const deleted: Whose = { is: 'ignored', reason: 'deleted' };
const nobodyYet: Whose = { is: 'ignored', reason: 'no_such_user', early: true };
const pending: Whose = { is: 'ignored', reason: 'deletion_pending', waits: true };
const open: Whose = { is: 'open' };

/** A merge leads to one person, who may have been merged away too. The chain has an end: this is for one that is broken. */
const longestChain = 32;

/** An identifier leads to whoever had it, and their service id leads on. */
const hadBy = (identifier: AnyItem['identifier'], to: string): string =>
  identifier.by === 'service_id' ? identifier.id : to;

const isFoundByValue = ({ identifier: { by } }: AnyItem): boolean =>
  by === 'email' || by === 'phone' || by === 'tokens';

/** What became of whoever had an identifier when a request was accepted; `undefined`: nothing. */
const createFateOf =
  ({ fates: known }: Known, { needs }: People) =>
  (key: string, at: Stamp): Fate | 'open' | undefined => {
    const fates = known.get(key);
    if (fates) return fateAt(fates, at);
    needs.fates.add(key);
    return 'open';
  };

/** By a service id, the person, or the one into whom they were merged, in the end; `free`: who was deleted before the request was accepted. */
const createFollow = (known: Known, people: People) => {
  const fateOf = createFateOf(known, people);
  const wasDeleted = (key: string): boolean => {
    const last = known.fates.get(key)?.at(-1);
    return last !== undefined && last.to === undefined;
  };
  return (ws: string, at: Stamp, had: string): Whose | 'free' => {
    let id = had;
    let part: { part?: true } = {};
    for (let step = 0; step < longestChain; step++) {
      if (!known.absent.has(id)) {
        if (!people.current(id)) return open;
        return id === had ? { is: 'found', id } : { is: 'followed', id, away: had, ...part };
      }
      const key = identityKey(ws, { by: 'service_id', id });
      const fate = fateOf(key, at);
      if (fate === 'open') return open;
      if (!fate && wasDeleted(key)) return 'free';
      if (fate?.to === undefined) return deleted;
      id = fate.to;
      if (fate.part) part = { part: true };
    }
    return deleted;
  };
};

export const createWhose = (known: Known, people: People, awaits: Awaits = awaitsNothing) => {
  const fateOf = createFateOf(known, people);
  const follow = createFollow(known, people);

  const mayCreate = ({ identifier, kind, entry }: AnyItem): boolean => {
    const updateExistingOnly = entry._update_existing_only;
    if (identifier.by === 'tokens') return updateExistingOnly !== true;
    return decide({ by: identifier.by, kind, exists: false, updateExistingOnly }).do === 'create';
  };

  const created = (item: AnyItem): Whose => ({
    is: 'created',
    id: people.create(item),
    ...(isFoundByValue(item) && { early: true }),
  });

  const createdOrNobody = (item: AnyItem): Whose => (mayCreate(item) ? created(item) : nobodyYet);

  /** `afresh`: whose it is when the person of the fate was deleted before the request was accepted. */
  const ended = (item: AnyItem, { to }: Fate, afresh: () => Whose): Whose => {
    if (to === undefined) return deleted;
    const { identifier, origin } = item;
    const followed = follow(origin.ws, origin.at, hadBy(identifier, to));
    if (followed === 'free') return afresh();
    return followed.is === 'followed' && followed.part && item.kind !== 'attributes' ? deleted : followed;
  };

  /** Whether it may be about the owner of a claim. If nobody had the identifier yet, a request in time would have created them: the claim reaches back to it. */
  const reaches = (item: AnyItem, claim: Claim): boolean => {
    if (claim.at <= item.origin.at) return true;
    if (!mayCreate(item)) return false;
    people.reachBack(item, claim);
    return true;
  };

  /** By a claim that was made or has moved since the request was accepted: what became of it later was its own way. */
  const claimed = (item: AnyItem, claim: Claim, fate: Fate | undefined): Whose => {
    const byClaim = (): Whose => (reaches(item, claim) ? { is: 'found', id: claim.profile } : nobodyYet);
    if (!fate) return byClaim();
    if (fate.at > claim.at && !reaches(item, claim)) return nobodyYet;
    return ended(item, fate, byClaim);
  };

  const whoseIs = (item: AnyItem): Whose => {
    const { key, origin } = item;
    const claim = people.claimOf(item);
    const id = claim?.profile ?? people.find(item);
    const isSure = claim === undefined || Math.max(claim.at, claim.moved ?? 0) <= origin.at;
    if (id !== undefined && isSure) return { is: 'found', id };
    const fate = fateOf(key, origin.at);
    if (fate === 'open') return open;
    if (claim) return claimed(item, claim, fate);
    if (fate) return ended(item, fate, () => createdOrNobody(item));
    const kept = known.merged.get(key);
    if (kept !== undefined) return { is: 'found', id: kept };
    return createdOrNobody(item);
  };

  return (item: AnyItem): Whose => {
    const found = whoseIs(item);
    if (found.is === 'open') return found;
    const isAwaited = awaits(item, 'id' in found ? [found.id] : []);
    if (isAwaited === 'open') return open;
    return isAwaited ? pending : found;
  };
};
