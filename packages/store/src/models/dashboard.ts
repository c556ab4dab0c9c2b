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

/** This userName or email, in lower case, belongs to that dashboard user: unique by its `_id`. */
export const dashboardClaims = collection(() => ({ _id: text, user: text }), {
  by_user: by(['user'], 'The addresses of a dashboard user, when they change or the user goes.'),
});

/** A session of a signed-in user, or an invitation; `_id` is a hash of the token. */
export const dashboardSessions = collection(
  () => ({ _id: text, user: text, expires: date, invite: optional(mark) }),
  {
    by_user: by(['user'], 'Ends the sessions of a dashboard user who is deactivated or deleted.'),
    by_expiry: atExpiry('Removes sessions that are over.'),
  },
);
