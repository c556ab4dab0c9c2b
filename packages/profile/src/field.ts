/** A plain field: the latest stamp wins. */

import { compared, contactFields, latest, latestContact } from './contact-field.ts';
import { loggedAs, withContact } from './contact-log-changes.ts';
import type { FieldName, Profile, Stamp, Value } from './profile.ts';

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
