/** An email or phone as a field: how two values are compared, and how a change is kept. */
import { emailKey } from './identity-key.ts';
import type { FieldName, Stamp, Stamped, Value } from './profile.ts';

interface ContactField {
  c: 'email' | 'phone';
  key: 'email_key' | 'phone_key';
  form(text: string): string;
}

/** The fields that find a person, and their compared form. */
export const contactFields: { [Name in FieldName]?: ContactField } = {
  email: { c: 'email', key: 'email_key', form: emailKey },
  phone: { c: 'phone', key: 'phone_key', form: (text) => text },
};

/** An equal stamp wins too: later entries of one request come later. */
export const latest = (old: Stamped | undefined, v: Value, at: Stamp): Stamped =>
  old && at < old.at ? old : { v, at };

export const compared = ({ form }: ContactField, v: Value): string | null =>
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
export const latestContact = (old: Stamped | undefined, v: Value, at: Stamp, isSame: boolean): Stamped => {
  if (!old) return { v, at };
  const { since = old.at, other } = old;
  if (at >= old.at) return isSame ? contactValue(v, at, since, other) : { v, at, other: old.at };
  if (isSame) return contactValue(old.v, old.at, at <= (other ?? 0) ? since : Math.min(since, at), other);
  return contactValue(old.v, old.at, at > since ? old.at : since, Math.max(other ?? 0, at));
};
