/** Whose an entry is: found, created, or nobody's, with the reason. Requests from before a deletion or a merge are told apart here. */
import { decide } from '../decide.ts';
import { identityKey } from '../identifier.ts';
import type { Item, TrackEntry } from './item.ts';
import type { Fate, Known } from './known.ts';
import type { People } from './people.ts';

export type Whose =
  | { is: 'found'; id: string }
  /** Early: by an email, phone or token, which somebody may have who is still on the way. */
  | { is: 'created'; id: string; early?: true }
  /** Found by following a merge. */
  | { is: 'followed'; id: string }
  | { is: 'ignored'; reason: 'no_such_user' | 'deleted' }
  /** There is nobody. Whoever was accepted before and is still on the way may change that. */
  | { is: 'ignored'; reason: 'no_such_user'; early: true }
  /** Something has to be loaded first. */
  | { is: 'open' };

type AnyItem = Item<TrackEntry>;

const deleted: Whose = { is: 'ignored', reason: 'deleted' };
const nobodyThen: Whose = { is: 'ignored', reason: 'no_such_user' };
const nobodyYet: Whose = { is: 'ignored', reason: 'no_such_user', early: true };
const open: Whose = { is: 'open' };

/** A merge leads to one person, who may have been merged away too. The chain has an end: this is for one that is broken. */
const longestChain = 32;

const isFoundByValue = ({ identifier: { by } }: AnyItem): boolean =>
  by === 'email' || by === 'phone' || by === 'tokens';

export const createWhose = (known: Known, people: People) => {
  /** What became of whoever had the identifier when the request was accepted; `undefined`: nothing. */
  const fateOf = (key: string, at: number): Fate | 'open' | undefined => {
    const fates = known.fates.get(key);
    if (fates) return fates.find((fate) => at <= fate.at);
    people.needs.fates.add(key);
    return 'open';
  };

  /** The person into whom somebody was merged, in the end. */
  const follow = (ws: string, at: number, to: string): Whose => {
    let id = to;
    for (let step = 0; step < longestChain; step++) {
      if (!known.absent.has(id)) return people.current(id) ? { is: 'followed', id } : open;
      const fate = fateOf(identityKey(ws, { by: 'service_id', id }), at);
      if (fate === 'open') return open;
      if (fate?.to === undefined) return deleted;
      id = fate.to;
    }
    return deleted;
  };

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

  return (item: AnyItem): Whose => {
    const { key, origin } = item;
    const claim = people.claimOf(item);
    const id = claim?.profile ?? people.find(item);
    const isSure = id !== undefined && (claim === undefined || claim.at <= origin.at);
    if (isSure) return { is: 'found', id };
    const fate = fateOf(key, origin.at);
    if (fate === 'open') return open;
    if (fate) return fate.to === undefined ? deleted : follow(origin.ws, origin.at, fate.to);
    if (mayCreate(item)) return id === undefined ? created(item) : { is: 'found', id };
    return id === undefined ? nobodyYet : nobodyThen;
  };
};
