/** A plain field: the latest stamp wins. */
import { loggedAs, withContact } from '../consent/contact-log.ts';
import { emailKey } from '../find/identifier.ts';
import type { FieldName, Profile, Stamp, Stamped, Value } from '../profile.ts';

interface ContactField {
  c: 'email' | 'phone';
  key: 'email_key' | 'phone_key';
  form(text: string): string;
}

/** The fields that find a person, and their compared form. */
const contactFields: { [Name in FieldName]?: ContactField } = {
  email: { c: 'email', key: 'email_key', form: emailKey },
  phone: { c: 'phone', key: 'phone_key', form: (text) => text },
};

/** An equal stamp wins too: later entries of one request come later. */
const latest = (old: Stamped | undefined, v: Value, at: Stamp): Stamped =>
  old && at < old.at ? old : { v, at };

const compared = ({ form }: ContactField, v: Value): string | null =>
  typeof v === 'string' ? form(v) : null;

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
  const kind = contactFields[name];
  if (!kind) {
    profile.fields[name] = latest(old, value, at);
    return;
  }
  const contacts = withContact(profile, kind.c, { v: value, at });
  if (contacts && contacts !== profile.contacts) Object.assign(profile, loggedAs(contacts));
  const isSame = old !== undefined && compared(kind, old.v) === compared(kind, value);
  const next = latestContact(old, value, at, isSame);
  profile.fields[name] = next;
  const key = compared(kind, next.v);
  if (key === null) delete profile[kind.key];
  else profile[kind.key] = key;
};
