/** A late request from before a merge gives the absorbed person an email or phone, or takes it away. The kept person has the contact if the merge took it over. */
import { mergeOf, withLateChange } from '../consent/absorbed-contacts.ts';
import { channels, comparedIn, loggedAs, withChange, withoutLastChange } from '../consent/contact-log.ts';
import type { ContactChange, Profile, Stamp } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';

type Given = Extract<ProfileChange, { kind: 'field' }>;

const givenIn = (changes: readonly ProfileChange[], c: ContactChange['c']): Given | undefined =>
  changes.find((change): change is Given => change.kind === 'field' && change.name === c);

/** Replaces the contact that the kept person took over in the merge. */
const takenOver = (before: Profile, after: Profile, c: ContactChange['c'], away: string, at: Stamp) => {
  const { contacts = [] } = before;
  const [old, next] = [before.fields[c], after.fields[c]];
  const [was, v] = [old ? comparedIn(c, old) : null, next ? comparedIn(c, next) : null];
  if (was === v) return contacts;
  const left = old?.from?.includes(away) ? withoutLastChange(contacts, c) : contacts;
  return v === null ? left : withChange(left, { c, v, at });
};

/** `after` has the new fields. */
export const withLateContacts = (
  before: Profile,
  after: Profile,
  changes: readonly ProfileChange[],
  { away, at }: { away: string; at: Stamp },
): Profile => {
  const on = mergeOf(before, away)?.at;
  if (on === undefined) return after;
  let { contacts } = before;
  for (const c of channels) {
    const given = givenIn(changes, c);
    if (!given) continue;
    const late: ContactChange = { c, v: comparedIn(c, { v: given.value }), at };
    contacts = withLateChange({ contacts: contacts ?? [] }, away, late);
    contacts = takenOver({ ...before, contacts }, after, c, away, Math.max(on, at));
  }
  return contacts ? { ...after, ...loggedAs(contacts) } : after;
};
