/** Applied requests, and the audit log. */
import { atExpiry, by, collection, type DocumentIn, partialBy } from './collection.ts';
import { type DocumentOf, date, list, map, mixed, number, optional, part, text, textOf } from './members.ts';

export const requests = collection(
  () => ({
    /** Request id. */
    _id: text,
    ws: text,
    op: text,
    at: number,
    state: textOf('applied', 'failed'),
    applied: date,
    /** Run-length: `updated*49`. */
    entries: optional(map(list(text))),
    reason: optional(text),
    /** The answer of an operation that must answer the same when it is repeated. `code`: the case of a refusal. */
    answer: optional(part({ status: number, body: text, code: optional(text) })),
    notes: optional(
      list(
        part({
          input_array: text,
          index: number,
          field: optional(text),
          reason: text,
          count: optional(number),
        }),
      ),
    ),
    /** Removed by a TTL index from then on. */
    expires: date,
  }),
  { by_expiry: atExpiry('Removes outcomes that can be asked for no more.') },
);

/** The mark that a request is applied, or failed; it is also the outcome that callers read. */
export interface RequestDocument extends DocumentIn<typeof requests> {}

const auditEntry = {
  /** When, in stamps: microseconds since the epoch. */
  at: number,
  /** The actor: `scim:<id of the token>`, `key:<id>`, `cli:<name of the person's account>`, `user:<id>`, `service:<name>` of what Roster did by itself; `unknown` without any. */
  by: text,
  /** Such as `user.created`. */
  what: text,
  /** The object of the change: an id, never a contact or a name of a person. */
  target: text,
  company: optional(text),
  /** The request of the change; each request stands here at most once. */
  request: optional(text),
  /** Names of the changed members. */
  fields: optional(list(text)),
  /** The new values, where they are no personal data. */
  set: optional(mixed<Record<string, unknown>>()),
};

export interface AuditEntry extends DocumentOf<typeof auditEntry> {}

export const audit = collection(
  () => ({
    ...auditEntry,
    /** Number of the row, with leading zeros. */
    _id: text,
    /** Hash of the row before. */
    before: text,
    hash: text,
  }),
  {
    by_request: partialBy(['request'], 'Whether a redelivered request has done its change already.'),
    by_target: by(['target'], 'What has happened to one user or token: roster audit --target.'),
  },
);

export interface AuditDocument extends DocumentIn<typeof audit> {}
