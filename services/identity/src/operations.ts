/**
 * The work of this worker for each operation of its queue. An operation without a line, or a list of people that no line reads, does not
 * compile. The reader of an entry says what it does, and to which people; the rules (`@roster/profile`) follow from that.
 */
import type { Applied } from '@roster/batch';
import {
  type AcceptedRequest,
  type AliasToIdentify,
  type AliasUpdate,
  type EmailToDelete,
  type EmailToIdentify,
  type ListsOf,
  lineOf,
  type MergeIdentifier,
  type MergeUpdate,
  type NewAlias,
  type OperationsOf,
  type PhoneToDelete,
  type PhoneToIdentify,
  type Rename,
  type UserAlias,
} from '@roster/contract';
import type { EntryNote, IdentityEntry, IdentityRequest, ListedEntry, NamedPerson } from '@roster/profile';
import { bodyOf, counted, type IdentityBody, type ResultOf, removed, renamed } from './results.ts';

interface ExternalId {
  external_id: string;
}

const byAlias = ({ alias_label, alias_name }: UserAlias): NamedPerson => ({
  who: { by: 'user_alias', label: alias_label, name: alias_name },
});
const byEmail = ({ email, prioritization }: EmailToDelete): NamedPerson => ({
  who: { by: 'email', email },
  prioritization,
});
const byPhone = ({ phone, prioritization }: PhoneToDelete): NamedPerson => ({
  who: { by: 'phone', phone },
  prioritization,
});
const byExternalId = (id: string): NamedPerson => ({ who: { by: 'external_id', id } });

const mergeSide = (side: MergeIdentifier): NamedPerson => {
  const { external_id, user_alias, email, phone, prioritization = [] } = side;
  if (external_id != null) return byExternalId(external_id);
  if (user_alias != null) return byAlias(user_alias);
  return email == null ? byPhone({ phone: phone ?? '', prioritization }) : byEmail({ email, prioritization });
};

const identified =
  <Entry extends { external_id: string }>(named: (entry: Entry) => NamedPerson) =>
  (entry: Entry, { merge_behavior }: IdentityBody): IdentityEntry => ({
    do: 'identify',
    external_id: entry.external_id,
    named: named(entry),
    merges: merge_behavior === 'merge',
  });

const deleted =
  <Entry>(named: (entry: Entry) => NamedPerson) =>
  (entry: Entry): IdentityEntry => ({ do: 'delete', named: named(entry) });

/** Entries of such a list change nothing; the notes of the outcome name each. */
const notUsed = 'not_used';

type ListReader = ((entry: never, body: IdentityBody) => IdentityEntry) | typeof notUsed;

interface IdentityLine<List extends string = string> {
  /** How each list is read, in the order in which the lists are applied. */
  readonly reads: { readonly [Name in List]: ListReader };
  /** The body of the answer after the request was applied; `receipt`: the operation is answered before. */
  readonly result: ResultOf | 'receipt';
}

type IdentityLines = { readonly [Id in OperationsOf<'identity'>]: IdentityLine<ListsOf<Id>> };

const lines: IdentityLines = {
  'users.alias.new': {
    reads: {
      user_aliases: ({ alias_label, alias_name, external_id }: NewAlias) => ({
        do: 'alias_new',
        label: alias_label,
        name: alias_name,
        ...(external_id != null && { external_id }),
      }),
    },
    result: counted('aliases_processed'),
  },
  'users.alias.update': {
    reads: {
      alias_updates: ({ alias_label, old_alias_name, new_alias_name }: AliasUpdate) => ({
        do: 'alias_update',
        label: alias_label,
        from: old_alias_name,
        to: new_alias_name,
      }),
    },
    result: counted('aliases_processed'),
  },
  'users.identify': {
    reads: {
      aliases_to_identify: identified(({ user_alias }: AliasToIdentify) => byAlias(user_alias)),
      emails_to_identify: identified((entry: EmailToIdentify) => byEmail(entry)),
      phone_numbers_to_identify: identified((entry: PhoneToIdentify) => byPhone(entry)),
      email_addresses: notUsed,
    },
    result: counted('aliases_processed'),
  },
  'users.merge': {
    reads: {
      merge_updates: ({ identifier_to_merge, identifier_to_keep }: MergeUpdate) => ({
        do: 'merge',
        away: mergeSide(identifier_to_merge),
        kept: mergeSide(identifier_to_keep),
      }),
    },
    result: 'receipt',
  },
  'users.delete': {
    reads: {
      external_ids: deleted(({ external_id }: ExternalId) => byExternalId(external_id)),
      user_aliases: deleted(byAlias),
      service_ids: deleted(({ service_id: id }: { service_id: string }) => ({
        who: { by: 'service_id', id },
      })),
      email_addresses: deleted(byEmail),
      phone_numbers: deleted(byPhone),
    },
    result: counted('deleted'),
  },
  'users.external_ids.rename': {
    reads: {
      external_id_renames: ({ current_external_id, new_external_id }: Rename) => ({
        do: 'rename',
        from: current_external_id,
        to: new_external_id,
      }),
    },
    result: renamed,
  },
  'users.external_ids.remove': {
    reads: { external_ids: ({ external_id }: ExternalId) => ({ do: 'remove', external_id }) },
    result: removed,
  },
};

export const lineFor = ({ op }: Pick<AcceptedRequest, 'op'>): IdentityLine => lineOf(lines, op);

/** The answer of the operation. */
export const resultOf = (request: AcceptedRequest, applied: Applied): object => {
  const { result } = lineFor(request);
  if (result === 'receipt') throw new Error(`${request.op} is answered with a receipt`);
  return result(request, applied);
};

const unusedIn = (array: string, entries: readonly unknown[]): EntryNote<string>[] =>
  entries.map((_, index) => ({ input_array: array, index, reason: notUsed }));

/** The request, as the rules take it. */
export const identityRequest = (request: AcceptedRequest): IdentityRequest => {
  const body = bodyOf(request);
  const lists: IdentityRequest['lists'] = {};
  const notes: EntryNote<string>[] = [];
  for (const [array, read] of Object.entries(lineFor(request).reads)) {
    const entries = body[array];
    if (!Array.isArray(entries)) continue;
    if (read === notUsed) notes.push(...unusedIn(array, entries));
    else
      lists[array] = entries.map(
        (entry): ListedEntry => (typeof entry === 'string' ? entry : read(entry as never, body)),
      );
  }
  return { id: request.id, ws: request.ws, at: request.at, lists, notes };
};
