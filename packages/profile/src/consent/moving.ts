/** A person changes their email or phone: statements move to the contact that they had at the time, and the person keeps the states of the contact they left. */

import type { Profile, Stamp } from '../profile.ts';
import { withStatements } from './consent.ts';
import { keptOnLeaving, leftBetween, movedStatements } from './consent-moves.ts';
import type { Contacts } from './contacts.ts';

const isSame = (before: Profile, after: Profile): boolean =>
  before.contacts === after.contacts &&
  before.fields.email === after.fields.email &&
  before.fields.phone === after.fields.phone;

export const createMoving =
  (contacts: Contacts) =>
  (before: Profile, after: Profile, { at }: { at: Stamp }): Profile => {
    if (isSame(before, after)) return after;
    const { ws } = after;
    for (const { statement, out, into } of movedStatements(before, after)) {
      // Entries of one request come one after the other.
      if (statement.at === at) continue;
      if (out !== undefined) contacts.retract(ws, out, statement);
      if (into !== undefined) contacts.say(ws, into, [statement]);
    }
    const kept = leftBetween(before, after).flatMap(({ key, until }) => {
      contacts.leave(ws, key);
      return keptOnLeaving(key, until, contacts.get(key));
    });
    return kept.length > 0 ? { ...after, consents: withStatements(after.consents, kept) } : after;
  };
