/** The people who run Roster, apart from the people in its workspaces. */
import { atExpiry, by, collection, type DocumentIn } from './collection.ts';
import { type DocumentOf, date, flag, list, mark, number, optional, part, text } from './members.ts';

const permissions = () => ({
  company: list(text),
  roles: list(text),
  workspaces: list(
    part({
      id: text,
      permissions: list(text),
      sets: list(text),
      teams: list(part({ id: text, permissions: list(text) })),
    }),
  ),
});

/** The permissions of a dashboard user; ids, so that things can be renamed. */
export interface DashboardPermissions extends DocumentOf<ReturnType<typeof permissions>> {}

const email = { value: text, type: optional(text), primary: optional(flag) };

const passkey = () => ({
  id: text,
  /** The public one, as WebAuthn writes it (COSE), in base64url. Nothing here lets anybody in. */
  key: text,
  /** How often it was used, as it says itself. */
  counter: number,
  /** The host for which it was made, and at which alone a browser uses it. */
  host: text,
  /** As its user calls it. */
  name: text,
  added: date,
  used: optional(date),
  transports: optional(list(text)),
});

export interface Passkey extends DocumentOf<ReturnType<typeof passkey>> {}

export interface DashboardEmail extends DocumentOf<typeof email> {}

export const dashboardUsers = collection(
  () => ({
    _id: text,
    company: text,
    /** Stamps of creation and of the last change by a provisioner. */
    at: number,
    changed: number,
    /** Stamp of the latest request about the user, also of one that changed nothing; without any, the stamp of `changed`. */
    said: optional(number),
    /** Grows with each such change; `meta.version` is made from it. */
    rev: number,
    userName: text,
    externalId: optional(text),
    name: optional(
      part({ formatted: optional(text), familyName: optional(text), givenName: optional(text) }),
    ),
    displayName: optional(text),
    active: flag,
    /** Removed by a provisioner: no source allows the user to sign in. */
    active_unset: optional(flag),
    emails: optional(list(part(email))),
    department: optional(text),
    permissions: optional(part(permissions())),
    /** Whether it was written with the extension schema, and so is shown with it. */
    extended: optional(flag),
    signed_in: optional(date),
    password: optional(part({ salt: text, hash: text })),
    password_set: optional(date),
    passkeys: optional(list(part(passkey()))),
  }),
  {
    by_company: by(
      ['company', 'at'],
      'The dashboard users of a company in the order of their creation: the SCIM list.',
    ),
  },
);

/** A person who may sign in to Roster itself: api.md, dashboard user. */
export interface DashboardUserDocument extends DocumentIn<typeof dashboardUsers> {}

/** What is the user's own business: no provisioner writes it, nor reads the secrets in it. */
export const ownMembers = ['signed_in', 'password', 'password_set', 'passkeys'] as const;

/** This userName or email, in lower case, belongs to that dashboard user: unique by its `_id`. */
export const dashboardClaims = collection(() => ({ _id: text, user: text }), {
  by_user: by(['user'], 'The addresses of a dashboard user, when they change or the user goes.'),
});

/** A session of a signed-in user, an invitation, or a passkey that is asked for; `_id` is a hash of the token, another one for each of these. */
export const dashboardSessions = collection(
  () => ({
    _id: text,
    user: text,
    expires: date,
    invite: optional(mark),
    /** Of a session: when it began, and what the browser says that it is. */
    since: optional(date),
    browser: optional(text),
    /** What the passkey has to sign. */
    challenge: optional(text),
    /** The name of a passkey that is new. */
    name: optional(text),
  }),
  {
    by_user: by(['user'], 'Ends the sessions of a dashboard user who is deactivated or deleted.'),
    by_expiry: atExpiry('Removes sessions that are over.'),
  },
);
