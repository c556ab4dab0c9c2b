/** Who had an email or phone when something was said of it, and has left it since: it stays with them, not with the address. */
import type { Said } from '../consent.ts';
import { identityKey } from '../identifier.ts';
import type { AttributeObject, Item } from './item.ts';
import type { People } from './people.ts';
import type { Follow } from './whose.ts';

type AttributeItem = Item<AttributeObject>;

export const createLeavers = (people: People, follow: Follow) => {
  const tell = (id: string, { k, v, at }: Said, item: AttributeItem): boolean => {
    const { id: request, ws } = item.origin;
    const found = follow(ws, at, id);
    const before = 'id' in found ? people.current(found.id) : undefined;
    if (!before) return false;
    const profile = { id: before._id, before: before.consents };
    people.history.say({ request, ws, k, v, at, profile, counted: [people.countsOf(before).get(k) ?? null] });
    const identifier = { by: 'service_id', id } as const;
    const origin = { ...item.origin, at };
    const theirs = { ...item, identifier, key: identityKey(ws, identifier), origin };
    people.change(before, [{ kind: 'consent', k, v }], theirs);
    return true;
  };

  /** Says how many there were, for how many of them there was no room, and how many still are: those who were merged away are who they were merged into. */
  return (key: string, said: Said, item: AttributeItem): { had: number; told: number; unloaded: number } => {
    const leavers = people.leaversOf(key, said);
    const told = leavers.filter(({ profile }) => tell(profile, said, item));
    const unloaded = leavers.filter(({ profile }) => people.isUnloaded(profile));
    return { had: leavers.length, told: told.length, unloaded: unloaded.length };
  };
};
