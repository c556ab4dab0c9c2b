/** A plain field: the latest stamp wins. */
import { comparedIn, loggedAs, setContactKey, withContact } from '../consent/contact-log.ts';
import type { FieldName, Profile, Stamp, Stamped, Value } from '../profile.ts';

/** An equal stamp wins too: later entries of one request come later. */
const latest = (old: Stamped | undefined, v: Value, at: Stamp): Stamped =>
  old && at < old.at ? old : { v, at };

const contactValue = (v: Value, at: Stamp, since: Stamp, other: Stamp | undefined): Stamped => ({
  v,
  at,
  ...(since < at && { since }),
  ...(other !== undefined && { other }),
});

/**
 * A contact that is sent again counts as one that the person has had all the time. A late one may extend `since` back, but not beyond another
 * contact. Another contact that comes late and belongs into the middle leaves only the latest stamp: then `since` may be
 * later than it was, never earlier.
 */
const latestContact = (old: Stamped | undefined, v: Value, at: Stamp, isSame: boolean): Stamped => {
  if (!old) return { v, at };
  const { since = old.at, other } = old;
  if (at >= old.at) return isSame ? contactValue(v, at, since, other) : { v, at, other: old.at };
  if (isSame) return contactValue(old.v, old.at, at <= (other ?? 0) ? since : Math.min(since, at), other);
  return contactValue(old.v, old.at, at > since ? old.at : since, Math.max(other ?? 0, at));
};

/** Changes the given profile, also the keys that find the person. */
export const setField = (profile: Profile, name: FieldName, value: Value, at: Stamp): void => {
  const old = profile.fields[name];
  if (name !== 'email' && name !== 'phone') {
    profile.fields[name] = latest(old, value, at);
    return;
  }
  const contacts = withContact(profile, name, { v: value, at });
  if (contacts && contacts !== profile.contacts) Object.assign(profile, loggedAs(contacts));
  const isSame = old !== undefined && comparedIn(name, old) === comparedIn(name, { v: value });
  profile.fields[name] = latestContact(old, value, at, isSame);
  setContactKey(profile, name);
};
